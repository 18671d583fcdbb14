import { execFileSync } from 'node:child_process'
import { type Ended, runCommand } from '../../tools/run-command.js'

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

/** Runs a program to its end, without this machine's AWS settings. */
export function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const settings = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'))
  return runCommand(command, args, {
    env: { ...Object.fromEntries(settings), ...env },
    timeout: TIMEOUT_MILLISECONDS,
  })
}
