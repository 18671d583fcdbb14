import { dirname } from 'node:path'
import { LocalError } from '../../errors/local-error.js'

/** The error of a request, or of a start, that met a damaged part of a data file. */
export function storedDamage(file: string, what: string, cause?: unknown): LocalError {
  const directory = dirname(file)
  return new LocalError(
    'storage.damaged',
    `The data directory ${directory} is damaged: ${what}. Nothing in it was changed. Close the engine; then \`isotherm local --verify ${directory}\` lists the damage, and \`isotherm local --verify ${directory} --salvage NEW\` writes what is intact to the new directory NEW.`,
    { directory, file },
    cause,
  )
}
