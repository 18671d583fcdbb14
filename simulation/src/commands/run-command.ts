import { CommandError, EXIT_USAGE } from '../command-error.js'

/** Runs what a command line asks for; what is wrong with it is one line, and what is wrong with the simulator is a stack. */
export async function runCommand(name: string, command: () => number | Promise<number>): Promise<void> {
  try {
    process.exitCode = await command()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    console.error(`${name}: ${error.message}`)
    process.exitCode = EXIT_USAGE
  }
}
