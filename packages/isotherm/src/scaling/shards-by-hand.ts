import { IsothermError } from '../errors/isotherm-error.js'
import type { LogicalKey, SuffixableKey } from '../keys/key.js'
import { invalidOption } from '../options/check.js'
import type { TablesByName } from '../sdk/tables-by-name.js'
import type { KeyShards } from './key-shards.js'
import type { TableScaling } from './table-scaling.js'

/** A table whose shard counts can be changed manually. */
interface ScaledByHand {
  readonly options: { readonly name: string }
  readonly scaling: Pick<TableScaling, 'byHand'>
}

/**
 * Returns the result of `db.shards(table, key)`.
 * @throws IsothermError `options.invalid` for an unknown table or an invalid key; `shards.fixed` if the table has one
 * count for all keys
 */
export function shardsByHand(tables: TablesByName<ScaledByHand>, name: string, key: unknown): KeyShards {
  const table = tables.of(name)
  if (table === undefined) {
    const known = Array.from(tables, ({ options }) => options.name).join(', ')
    throw invalidOption('shards(table)', name, `a table of the options: ${known}`)
  }
  const shards = table.scaling.byHand(logicalKeyOf(key))
  if (shards !== undefined) return shards
  throw new IsothermError(
    'shards.fixed',
    `The table ${name} has fixedShards, one count for all keys, which is changed in the options. Give it dynamicShards({ ... }) to have a count for each key.`,
    { table: name },
  )
}

function logicalKeyOf(key: unknown): LogicalKey {
  if (typeof key === 'string' && key !== '') return { S: key } as SuffixableKey as LogicalKey
  if (key instanceof Uint8Array && key.length > 0) return { B: key } as SuffixableKey as LogicalKey
  throw invalidOption('shards(key)', key, 'the logical key: text or bytes, not empty')
}
