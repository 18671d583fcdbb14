import type { ShardedTableOptions } from 'isotherm'
import type { Library } from '../world/library.js'
import type { WorkloadIndex, WorkloadTable } from '../world/workload-table.js'
import type { Settings } from './settings.js'

/** What is particular of a table; the rest is drawn for the run. */
type TableShape = Pick<WorkloadTable, 'name' | 'partitionKey' | 'sortKey' | 'operated'>

/** A table of appends. */
export function randomTable(library: Library, settings: Settings, shape: TableShape): WorkloadTable {
  const { partitionKey, sortKey } = shape
  return {
    ...shape,
    sortType: settings.table.sortType,
    indexes: [],
    sharded: {
      partitionKey,
      sortKey,
      suffix: 'random',
      transactions: settings.table.transactions,
      readReplicas: numbered('replica', settings.table.readReplicas),
      ...shardedOptions(library, settings),
    },
  }
}

/** A table of items that are written one by one, with or without sharded indexes. */
export function calculatedTable(
  library: Library,
  settings: Settings,
  shape: TableShape,
  indexes: readonly Omit<WorkloadIndex, 'shards' | 'isDynamic'>[] = [],
): WorkloadTable {
  const { partitionKey, sortKey } = shape
  const { shards, isDynamic } = settings.index
  const sharded = Object.fromEntries(
    indexes.map((index) => [
      index.name,
      {
        partitionKey: index.partitionKey,
        ...(index.sortKey === undefined ? {} : { sortKey: index.sortKey }),
        shards: isDynamic ? dynamicIndexShards(library, settings) : library.fixedShards(shards),
      },
    ]),
  )
  return {
    ...shape,
    sortType: 'S',
    indexes: indexes.map((index) => ({ ...index, shards, isDynamic })),
    sharded: {
      partitionKey,
      sortKey,
      suffix: 'calculated',
      ...(indexes.length === 0 ? {} : { indexes: sharded }),
      ...shardedOptions(library, settings),
    },
  }
}

/**
 * The options of a process that has another version of the application: all that may differ does. Those that decide where items are do
 * not, nor `cacheTtl` and `lateRequests`.
 */
export function otherOptions(
  library: Library,
  settings: Settings,
  sharded: ShardedTableOptions,
): ShardedTableOptions {
  const { table } = settings
  const other = {
    ...table,
    maxShards: Math.max(table.initialShards, Math.floor(table.maxShards / 2)),
    policy: table.policy === 'doubling' ? ('increment' as const) : ('doubling' as const),
    cooldownMilliseconds: 2 * table.cooldownMilliseconds,
    drainUnitsPerSecond: 10 * table.drainUnitsPerSecond,
    quiet: !table.quiet,
  }
  const options = shardedOptions(library, { ...settings, table: other })
  return { ...sharded, ...options, transactions: sharded.transactions === false }
}

/** Names with numbers from 0. */
export function numbered(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}`)
}

function dynamicIndexShards(library: Library, { table, engine, index }: Settings) {
  return library.dynamicShards({
    initial: index.shards,
    max: Math.max(index.shards, table.maxShards),
    cooldown: table.cooldownMilliseconds,
    jitter: [...table.jitterMilliseconds],
    partitionUnitsPerSecond: engine.partitionWriteUnits,
  })
}

function shardedOptions(
  library: Library,
  { table, engine }: Settings,
): Pick<ShardedTableOptions, 'shards' | 'adopt' | 'cacheTtl' | 'lateRequests' | 'staleReads'> {
  const policies = {
    proportional: () => library.proportional(),
    doubling: () => library.doubling(),
    increment: () => library.incrementBy(1),
  }
  return {
    adopt: table.adopt,
    cacheTtl: table.cacheMilliseconds,
    lateRequests: table.lateMilliseconds,
    staleReads: table.staleMilliseconds,
    shards: table.isFixed
      ? library.fixedShards(table.initialShards)
      : library.dynamicShards({
          initial: table.initialShards,
          max: table.maxShards,
          cooldown: table.cooldownMilliseconds,
          jitter: [...table.jitterMilliseconds],
          policy: policies[table.policy](),
          partitionUnitsPerSecond: engine.partitionWriteUnits,
          drainUnitsPerSecond: table.drainUnitsPerSecond,
          quiet: table.quiet ? '1m' : false,
          shrink: table.shrink,
        }),
  }
}
