import { compareKeyValues, type KeyValue } from '@isotherm/semantics'

/** A place in the merged order of a logical key: by sort key, and among equal ones by shard. */
export interface Position {
  /** `undefined` in a table without a sort key, where the shard alone is the order. */
  readonly sort: KeyValue | undefined
  readonly shard: number
}

/** The merged order, forward (1) or backward (-1); backward is the exact reverse. */
export function comparePositions(a: Position, b: Position, direction: 1 | -1): number {
  const bySort = a.sort === undefined || b.sort === undefined ? 0 : (compareKeyValues(a.sort, b.sort) ?? 0)
  return direction * (bySort || a.shard - b.shard)
}
