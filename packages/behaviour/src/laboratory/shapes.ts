import { dynamicShards, fixedShards, type IndexedTableOptions, type ShardedTableOptions } from 'isotherm'

type KeyType = 'S' | 'N' | 'B'

/** A table of the suite: its definition for the service and for the library. */
export interface Shape {
  readonly types: { readonly partitionKey: KeyType; readonly sortKey: KeyType }
  readonly indexes?: readonly Index[]
  readonly options: (ShardedTableOptions | IndexedTableOptions) & { readonly sortKey: string }
}

/** An index. A sharded index has another attribute as its partition key in the sharded table. */
interface Index {
  readonly name: string
  readonly kind: 'local' | 'global'
  readonly partitionKey: { readonly sharded: string; readonly plain: string }
  readonly sortKey: { readonly name: string; readonly type: KeyType }
}

/** A count that grows only when a test changes it: nothing throttles here. */
const FOUR = dynamicShards({ initial: 4, quiet: false })

export const SHAPES = {
  /** Reads of files: appended, and read by time. */
  log: {
    types: { partitionKey: 'S', sortKey: 'N' },
    options: { partitionKey: 'file_path', sortKey: 'at', suffix: 'random', shards: FOUR },
  },
  /** The same with a string as sort key. */
  letters: {
    types: { partitionKey: 'S', sortKey: 'S' },
    options: { partitionKey: 'file_path', sortKey: 'at', suffix: 'random', shards: fixedShards(4) },
  },
  /** The same with binary keys. */
  blobs: {
    types: { partitionKey: 'B', sortKey: 'B' },
    options: { partitionKey: 'file_path', sortKey: 'at', suffix: 'random', shards: fixedShards(4) },
  },
  /** Orders of customers: each is written and read by its own key. */
  orders: {
    types: { partitionKey: 'S', sortKey: 'S' },
    indexes: [
      {
        name: 'by_amount',
        kind: 'local',
        partitionKey: { sharded: 'customer', plain: 'customer' },
        sortKey: { name: 'amount', type: 'N' },
      },
      {
        name: 'by_note',
        kind: 'global',
        partitionKey: { sharded: 'note', plain: 'note' },
        sortKey: { name: 'order_id', type: 'S' },
      },
    ],
    options: {
      partitionKey: 'customer',
      sortKey: 'order_id',
      suffix: 'calculated',
      shards: FOUR,
      indexes: { by_amount: { sortKey: 'amount' } },
    },
  },
  /** Files by their folders, whose keys need no shards, and by their state, which has two values. */
  files: {
    types: { partitionKey: 'S', sortKey: 'S' },
    indexes: [
      {
        name: 'by_state',
        kind: 'global',
        partitionKey: { sharded: 'isotherm_by_state', plain: 'file_state' },
        sortKey: { name: 'registered_at', type: 'N' },
      },
    ],
    options: {
      partitionKey: 'folder',
      sortKey: 'file',
      indexes: {
        by_state: { partitionKey: 'file_state', sortKey: 'registered_at', shards: fixedShards(5) },
      },
    },
  },
  /** A table that existed before the library. */
  old: {
    types: { partitionKey: 'S', sortKey: 'S' },
    options: {
      partitionKey: 'customer',
      sortKey: 'order_id',
      suffix: 'calculated',
      shards: dynamicShards({ initial: 1, quiet: false }),
      adopt: true,
    },
  },
  /** A numeric partition key, which cannot carry a suffix. */
  numbers: {
    types: { partitionKey: 'N', sortKey: 'S' },
    options: { partitionKey: 'id', sortKey: 'at', suffix: 'random', shards: fixedShards(4) },
  },
} as const satisfies Record<string, Shape>

export type ShapeName = keyof typeof SHAPES

/**
 * The options on an engine without transactions: there the count of a calculated suffix cannot change, so an existing
 * table can only be adopted with a random suffix.
 */
export function withoutTransactions(options: Shape['options']): Shape['options'] {
  if (options.suffix === undefined) return options
  if (options.suffix === 'random') return { ...options, transactions: false }
  if (options.adopt === true) return { ...options, transactions: false, suffix: 'random' }
  // Other guarantees have stored items in the same table for other counts.
  return { ...options, transactions: false, shards: fixedShards(4), checkItems: false }
}
