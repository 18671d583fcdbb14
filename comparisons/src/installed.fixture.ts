import { execFileSync, type SpawnOptions, spawn } from 'node:child_process'

/** More than any of these programs needs, and still short for a person who waits. */
const TIMEOUT_MILLISECONDS = 50_000

/**
 * Whether a program is installed and answers. With `ISOTHERM_SKIP_NOTHING=true`, a missing program fails the tests
 * instead of skipping them.
 */
export function isInstalled(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: TIMEOUT_MILLISECONDS })
    return true
  } catch {
    return process.env.ISOTHERM_SKIP_NOTHING === 'true'
  }
}

/** A program's output and exit code. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end, without this machine's AWS settings. */
export function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const settings = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'))
  const options: SpawnOptions = {
    env: { ...Object.fromEntries(settings), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MILLISECONDS,
  }
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options)
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}
