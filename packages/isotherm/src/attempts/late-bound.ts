import type { ShardedTable } from '../options/sharded-table.js'

type Bounded = Pick<ShardedTable, 'itemsMayMove' | 'lateRequestMilliseconds'>

/**
 * How late a request to several tables may arrive: each relies on its own bound. Tables whose items never move have none.
 *
 * @returns milliseconds after the end of its view; infinite if no item moves
 */
export function lateBoundOf(tables: readonly Bounded[]): number {
  const bounds = tables.filter(({ itemsMayMove }) => itemsMayMove)
  return Math.min(...bounds.map(({ lateRequestMilliseconds }) => lateRequestMilliseconds))
}
