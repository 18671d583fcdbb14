import { dynamicShards, fixedShards, type ShardedTableOptions } from 'isotherm'

/** A table of the suite: what the service is told of it, and what the library is. */
export interface Shape {
  readonly types: { readonly partitionKey: 'S' | 'B' | 'N'; readonly sortKey: 'S' | 'N' | 'B' }
  readonly options: ShardedTableOptions & { readonly sortKey: string }
}

/** A count that grows only when a test says so: nothing throttles here. */
const FOUR = dynamicShards({ initial: 4, quiet: false })

export const SHAPES = {
  /** Reads of files: appended, and read by time. */
  log: {
    types: { partitionKey: 'S', sortKey: 'N' },
    options: { partitionKey: 'file_path', sortKey: 'at', suffix: 'random', shards: FOUR },
  },
  /** The same with text for a sort key. */
  letters: {
    types: { partitionKey: 'S', sortKey: 'S' },
    options: { partitionKey: 'file_path', sortKey: 'at', suffix: 'random', shards: fixedShards(4) },
  },
  /** The same with bytes for both keys. */
  blobs: {
    types: { partitionKey: 'B', sortKey: 'B' },
    options: { partitionKey: 'file_path', sortKey: 'at', suffix: 'random', shards: fixedShards(4) },
  },
  /** Orders of customers: each written and read by its own key. */
  orders: {
    types: { partitionKey: 'S', sortKey: 'S' },
    options: { partitionKey: 'customer', sortKey: 'order_id', suffix: 'calculated', shards: FOUR },
  },
  /** A table that was there before the library. */
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
