import { fixedShards } from 'isotherm'
import { describe, expect, it } from 'vitest'
import { BULK_INDEX, runBulkIndex } from './bulk-index.js'
import { shareOf } from './bulk-index-board.js'
import { DEFAULTS } from './contestant.js'

describe('a bulk registration into an index with one status', () => {
  const ITEMS = 60_000

  it('leaves one item in twenty unprocessed with ten fixed shards, as in an index of four partitions', async () => {
    expect(
      shareOf(await runBulkIndex({ name: 'fixed-10', shards: () => fixedShards(10) }, 1, ITEMS)),
    ).toBeGreaterThan(0.05)
  }, 120_000)

  it('leaves next to none with dynamic counts', async () => {
    const run = await runBulkIndex(DEFAULTS, 1, ITEMS)
    expect(shareOf(run)).toBeLessThan(BULK_INDEX.maxUnprocessedShare)
    expect(run.shardsAt.length).toBeGreaterThan(0)
  }, 120_000)
})
