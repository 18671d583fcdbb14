import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DirectoryDefinition } from 'isotherm/search'
import { CommandError, EXIT_FAILED } from './command-error.js'

/** The definition of a directory, as the user's module exports it. @throws CommandError */
export async function definitionFile(file: string): Promise<DirectoryDefinition> {
  const imported = await import(pathToFileURL(resolve(file)).href).catch((cause: unknown) => {
    const text = `--definition is '${file}', which cannot be loaded: ${String(cause)}`
    throw new CommandError(text, EXIT_FAILED, { cause })
  })
  const { default: definition } = imported as { readonly default?: unknown }
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
