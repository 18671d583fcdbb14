import { describe, expect, it } from 'vitest'
import { type CrawledKey, crawls } from '../../test/filtered-crawl.js'

const key: CrawledKey = { shards: 16, spread: 'even', items: 1_000, bytes: 800, limit: 25, passesOneOf: 10 }

const MOST_UNITS = 3
const MOST_REQUESTS = 2

/** Checks that the pages of a sharded key contain what those of one partition contain, and are pages of the same query. */
async function comparedCrawls(asked: CrawledKey) {
  const { plain, sharded } = await crawls(asked)
  expect(sharded.found).toEqual(plain.found)
  for (const { Count = 0, ScannedCount = 0, Items = [] } of sharded.pages) {
    expect(Count).toBe(Items.length)
    expect(ScannedCount).toBeGreaterThanOrEqual(Count)
    expect(ScannedCount).toBeLessThanOrEqual(asked.limit)
  }
  const ends = sharded.pages.flatMap(({ LastEvaluatedKey: end }) => (end === undefined ? [] : [end]))
  const direction = asked.forward === false ? -1 : 1
  for (const [index, end] of ends.slice(1).entries()) {
    expect(direction * (Number(end.at?.N) - Number(ends[index]?.at?.N))).toBeGreaterThan(0)
  }
  return { plain, sharded }
}

describe('a filter with a limit below the shard count', () => {
  const shapes = [16, 64].flatMap((shards) =>
    (['even', 'one shard'] as const).flatMap((spread) =>
      [true, false].map((forward) => ({ ...key, shards, spread, forward, consistent: !forward })),
    ),
  )

  it.each(shapes)(
    `costs at most ${MOST_UNITS} times the units of one partition and ${MOST_REQUESTS} requests a shard and page: $shards shards, $spread, forward $forward`,
    async (shape) => {
      const { plain, sharded } = await comparedCrawls(shape)
      expect(sharded.units / plain.units).toBeLessThanOrEqual(MOST_UNITS)
      expect(sharded.mostRequests / shape.shards).toBeLessThanOrEqual(MOST_REQUESTS)
      expect(sharded.pages.length).toBeLessThan(plain.pages.length)
    },
  )

  it.each([16, 64])('costs as little while items move to %i shards', async (shards) => {
    // Without ConsistentRead, the shards that items move to are read consistently all the same.
    for (const [consistent, most] of [
      [true, MOST_UNITS],
      [false, 4],
    ] as const) {
      const { plain, sharded } = await comparedCrawls({ ...key, shards, consistent, moving: true })
      expect(sharded.units / plain.units).toBeLessThanOrEqual(most)
      expect(sharded.mostRequests / shards).toBeLessThanOrEqual(MOST_REQUESTS)
    }
  })

  it.each([
    { passesOneOf: 1 },
    { passesOneOf: 1_001 },
    { limit: 1 },
    { limit: 300 },
    { bytes: 100 },
    { bytes: 5_000, items: 300 },
    { spread: 'skewed' as const },
    { items: 3 },
    { items: 1 },
    { shards: 2 },
    { shards: 200, items: 300 },
  ])('finds the same items in pages that advance, in at most two rounds: %j', async (shape) => {
    const asked = { ...key, ...shape }
    const { sharded, plain } = await comparedCrawls(asked)
    expect(sharded.mostRequests / asked.shards).toBeLessThanOrEqual(MOST_REQUESTS)
    expect(sharded.pages.length).toBeLessThanOrEqual(plain.pages.length)
  })
})
