import { writeFileSync } from 'node:fs'
import { CommandError, EXIT_FAILED } from './command-error.js'

/** Writes a file. @throws CommandError if the disk is full, or the folder does not exist */
export function writeText(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new CommandError(`The file ${path} cannot be written (${code}).`, EXIT_FAILED, { cause })
  }
}
