import Table from 'cli-table3'
import { BULK_INDEX, type BulkIndexRun } from './bulk-index.js'

/** The results as a table for people: a row for each run. */
export function bulkIndexBoard(runs: readonly BulkIndexRun[]): string {
  const table = new Table({
    head: ['load', 'by', 'seed', 'unprocessed', 'of', 'share', 'shards', 'seconds', 'target'],
    colAligns: ['left', 'left', 'right', 'right', 'right', 'right', 'left', 'right', 'left'],
    style: { head: [], border: [] },
  })
  for (const run of runs) {
    const { shape, contestant, seed, unprocessed, items, shardsAt, seconds } = run
    table.push([
      shape,
      contestant,
      seed,
      unprocessed.toLocaleString('en'),
      items.toLocaleString('en'),
      `${(100 * shareOf(run)).toFixed(2)} %`,
      shardsAt.map(({ second, shards }) => `${shards} at ${second.toFixed(0)} s`).join(', '),
      seconds.toFixed(0),
      shareOf(run) < BULK_INDEX.maxUnprocessedShare
        ? 'met'
        : `below ${100 * BULK_INDEX.maxUnprocessedShare} %`,
    ])
  }
  return table.toString()
}

/** Unprocessed items, as a share of all. */
export function shareOf({ unprocessed, items }: BulkIndexRun): number {
  return unprocessed / items
}
