import { existsSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
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
      throw unloadable(reasonOf(cause, path), cause)
    },
  )
  return imported.default
}

function reasonOf(cause: unknown, path: string): string {
  if (Object(cause).code === 'ERR_UNKNOWN_FILE_EXTENSION')
    return 'it must be a module, with a name that ends in .js or .mjs.'
  if (extname(path) !== '.js' || !isModuleSyntaxInCommonJs(cause)) return String(cause)
  const name = `${basename(path, '.js')}.mjs`
  return `its package has CommonJS modules. Name it ${name}, or set "type": "module" in package.json.`
}

/** A new package has CommonJS modules: `npm init` writes that. Node's errors have no code. */
function isModuleSyntaxInCommonJs(cause: unknown): boolean {
  return /^SyntaxError: (Cannot use import statement outside a module|Unexpected token 'export')/.test(
    String(cause),
  )
}
