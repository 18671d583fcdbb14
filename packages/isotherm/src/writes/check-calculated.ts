import { missingPart } from '../errors/missing-part.js'
import { invalidOption } from '../options/check.js'
import type { SuffixSource } from '../options/sharded-table.js'
import type { DynamicShards, FixedShards } from '../scaling/shards.js'

/** The options of a table with a calculated suffix that must be compatible with each other. */
export interface CalculatedTable {
  readonly partitionKey: string
  readonly sortKey: string | undefined
  readonly shards: FixedShards | DynamicShards
  readonly transactions: boolean
  readonly adopt: boolean
}

/** The parts of the table's client. */
export interface CalculatedParts {
  /** Its commands, by name. */
  readonly commands: Readonly<Record<string, unknown>>
  /** With a rebalancer, it completes changes of shard counts. */
  readonly options: { readonly openRebalancer?: unknown }
}

/** The commands of parts that write to tables with a calculated suffix. */
const WRITES = ['UpdateItem', 'BatchWriteItem', 'TransactWriteItems']

/** @throws IsothermError `options.invalid`, which names the option; `part.missing` */
export function checkCalculated(
  path: string,
  suffix: SuffixSource,
  table: CalculatedTable,
  { commands, options }: CalculatedParts,
): void {
  checkSource(`${path}.suffix`, suffix, table)
  checkShards(`${path}.shards`, table)
  // Some process must drive the phases of a change. If a process announced one and left it unfinished, every read and
  // write would access two shards. A process that only reads announces no changes.
  const isUndriven = table.shards.kind === 'dynamic' && options.openRebalancer === undefined
  if (isUndriven && WRITES.some((operation) => commands[operation] !== undefined)) {
    throw missingPart('rebalancing', `${path}.shards: dynamicShards with a calculated suffix`)
  }
}

function checkSource(path: string, { from }: SuffixSource, { partitionKey, sortKey }: CalculatedTable): void {
  const keys = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey]
  const stranger = from?.find((attribute) => !keys.includes(attribute))
  if (stranger !== undefined) {
    const rule = `made of the primary key (${keys.join(', ')}), which is all that a read knows of its item`
    throw invalidOption(`${path}.from`, from, rule)
  }
  if ((from ?? keys).includes(sortKey ?? '')) return
  if (sortKey === undefined) {
    const rule =
      'the name of the sort key, from which the suffix is calculated. A table without one cannot be sharded: each of its keys has one item'
    throw invalidOption(path.replace(/suffix$/, 'sortKey'), sortKey, rule)
  }
  throw invalidOption(
    path,
    'calculated from the partition key alone',
    'calculated from a sort key too: all items of a logical key would be in one shard, and an item that everybody updates cannot be sharded',
  )
}

function checkShards(path: string, { shards, transactions, adopt }: CalculatedTable): void {
  if (shards.kind === 'fixed' && shards.changes) {
    const rule =
      'fixedShards(n) or dynamicShards({ ... }) with a calculated suffix: items have to be moved when its count changes, which dynamicShards and db.shards().set() do'
    throw invalidOption(path, 'fixedShards with a function', rule)
  }
  if (shards.kind === 'dynamic' && !transactions) {
    const rule =
      'fixedShards(n) where the service has no transactions: items with a calculated suffix are moved in one'
    throw invalidOption(path, 'dynamicShards', rule)
  }
  if (shards.kind === 'dynamic' && adopt && shards.initial !== 1) {
    const rule = 'dynamicShards with initial 1 in an adopted table: its items are all in shard 1'
    throw invalidOption(`${path}.initial`, shards.initial, rule)
  }
  if (shards.kind === 'fixed' && adopt) {
    const rule =
      'dynamicShards in an adopted table with a calculated suffix: its items are all in shard 1, and have to be moved'
    throw invalidOption(path, 'fixedShards', rule)
  }
}
