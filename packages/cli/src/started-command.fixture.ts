import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('../bin/isotherm.js', import.meta.url))

/** A command that serves until it is stopped. */
export interface StartedCommand {
  readonly address: string
  stop(): void
}

/**
 * Starts the built command in a separate process, as it is installed, and waits until it prints its address.
 *
 * @param address finds the address in the output, as its first group
 * @throws Error if the command ends before that
 */
export function startedCommand(args: readonly string[], address: RegExp): Promise<StartedCommand> {
  const command = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    let text = ''
    command.once('exit', (code) => {
      reject(new Error(`isotherm ${args.join(' ')} ended with code ${code} before it served: ${text}`))
    })
    command.stdout.on('data', (part: Buffer) => {
      text += part.toString()
      const found = address.exec(text)?.[1]
      if (found !== undefined) resolve({ address: found, stop: () => void command.kill('SIGINT') })
    })
  })
}
