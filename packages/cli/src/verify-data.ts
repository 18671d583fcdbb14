import { salvageDirectory, verifyDirectory } from '@isotherm/local'
import { CommandError, EXIT_FAILED } from './command-error.js'
import { directoryLines } from './presentation/directory-report.js'
import { printable, type Terminal, writeLine } from './terminal.js'

/** How a data directory is checked. */
interface VerifyOptions {
  /** The directory for what is intact. */
  readonly target: string | undefined
  /** Whether the report is printed as JSON. */
  readonly json: boolean
}

/**
 * Checks a data directory, and copies what is intact to another one if asked to.
 * @throws CommandError when it is damaged and nothing was to be copied, so that scripts notice it.
 */
export async function verifyData(
  directory: string,
  { target, json }: VerifyOptions,
  { out }: Terminal,
): Promise<void> {
  const report = await (target === undefined
    ? verifyDirectory(directory)
    : salvageDirectory(directory, target))
  if (json) writeLine(out, JSON.stringify(report))
  else for (const line of directoryLines(report)) writeLine(out, line)
  if (target !== undefined) {
    if (json) return
    writeLine(
      out,
      printable(`What is intact was written to ${target}. Its indexes are filled when it is first opened.`),
    )
  } else if (report.damagedParts > 0) {
    throw new CommandError(
      `the data directory ${printable(directory)} is damaged. Add --salvage NEW to write what is intact to the new directory NEW.`,
      EXIT_FAILED,
    )
  }
}
