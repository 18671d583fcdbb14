import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ShardedTableOptions } from 'isotherm'
import { CommandError, EXIT_FAILED } from './command-error.js'

/** The default export of the user's module. */
export async function optionsFile(file: string): Promise<ShardedTableOptions> {
  const imported = await import(pathToFileURL(resolve(file)).href).catch((cause: unknown) => {
    throw new CommandError(`--options is '${file}', which cannot be loaded: ${String(cause)}`, EXIT_FAILED, {
      cause,
    })
  })
  const { default: options } = imported as { readonly default?: ShardedTableOptions }
  if (typeof options === 'object' && options !== null) return options
  throw new CommandError(
    `--options is '${file}'; it must export the table's options as default: export default { partitionKey, sortKey, suffix, shards }.`,
  )
}
