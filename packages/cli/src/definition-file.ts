import type { DirectoryDefinition } from 'isotherm/search'
import { CommandError } from './command-error.js'
import { moduleFile } from './module-file.js'

/** The definition of a directory, as the user's module exports it. @throws CommandError */
export async function definitionFile(file: string): Promise<DirectoryDefinition> {
  const definition = await moduleFile('--definition', file)
  if (isDefinition(definition)) return definition
  throw new CommandError(
    `--definition is '${file}'; it must export the definition of the directory as default: export default defineDirectory({ table, fields }).`,
  )
}

/** The module may have another copy of the library, so that there is no class to look for. */
function isDefinition(value: unknown): value is DirectoryDefinition {
  const { table, names, fields, links } = Object(value) as Partial<DirectoryDefinition>
  return (
    typeof table === 'string' &&
    typeof names?.searchType === 'string' &&
    Array.isArray(fields) &&
    Array.isArray(links)
  )
}
