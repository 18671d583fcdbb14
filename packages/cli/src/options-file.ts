import type { ShardedTableOptions } from 'isotherm'
import { CommandError } from './command-error.js'
import { moduleFile } from './module-file.js'

/** The default export of the user's module. */
export async function optionsFile(file: string): Promise<ShardedTableOptions> {
  const options = await moduleFile('--options', file)
  // The library checks them.
  if (typeof options === 'object' && options !== null) return options as ShardedTableOptions
  throw new CommandError(
    `--options is '${file}'; it must export the table's options as default: export default { partitionKey, sortKey, suffix, shards }.`,
  )
}
