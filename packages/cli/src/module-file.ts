import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CommandError, EXIT_FAILED } from './command-error.js'

/** The default export of a module of the user. @throws CommandError, with the flag that names the file */
export async function moduleFile(flag: string, file: string): Promise<unknown> {
  const path = resolve(file)
  const unloadable = (reason: string, cause?: unknown) =>
    new CommandError(`${flag} is '${file}', which cannot be loaded: ${reason}`, EXIT_FAILED, { cause })
  if (!existsSync(path)) throw unloadable('there is no such file.')
  const imported: { readonly default?: unknown } = await import(pathToFileURL(path).href).catch(
    (cause: unknown) => {
      throw Object(cause).code === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? unloadable('it must be a module, with a name that ends in .js or .mjs.', cause)
        : unloadable(String(cause), cause)
    },
  )
  return imported.default
}
