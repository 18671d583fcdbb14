import { describe, expect, it } from 'vitest'
import type { LogicalKey } from '../../keys/key.js'
import { fixedView, type ShardViews } from '../../protocol/index.js'
import { countedViews, FanOutReads } from './fan-out-reads.js'

const key = (text: string) => ({ S: text }) as LogicalKey
const K = key('k')

/** Views of a key with some shards, whose other methods return their own names. */
function viewsOf(shards: number, isLate = false): ShardViews {
  const view = fixedView(shards)
  const named = (name: string) => () => name as never
  return {
    known: named('known'),
    forWrite: named('forWrite'),
    guess: named('guess'),
    oneShard: named('oneShard'),
    checkTable: named('checkTable'),
    viewNow: named('viewNow'),
    forRead: () => (isLate ? Promise.resolve(view) : view),
  }
}

interface Asked {
  readonly placementKind: 'random' | 'calculated'
  readonly shards?: number
  readonly isLate?: boolean
  readonly how: { readonly consistent: boolean; readonly atLeast?: number }
}

/** The units for each shard of a read of a table whose keys begin with two shards. */
function unitsOf({ placementKind, shards = 3, isLate = false, how }: Asked): number {
  const reads = new FanOutReads()
  const views = countedViews(viewsOf(shards, isLate), reads, { initial: 2, placementKind })
  void views.forRead(K, how)
  return reads.take(K)
}

describe('a request that asks every shard of a key', () => {
  it('costs at least a unit of each shard, or half a unit if it is eventually consistent', () => {
    expect(unitsOf({ placementKind: 'random', how: { consistent: true } })).toBe(1)
    expect(unitsOf({ placementKind: 'random', how: { consistent: false } })).toBe(0.5)
  })

  it('is only a query where an item has a calculated shard', () => {
    expect(unitsOf({ placementKind: 'calculated', how: { consistent: true } })).toBe(0)
    expect(unitsOf({ placementKind: 'calculated', how: { consistent: true, atLeast: 1 } })).toBe(1)
  })

  it('is not counted for a key with the initial count, which has nothing to lose', () => {
    expect(unitsOf({ placementKind: 'random', shards: 2, how: { consistent: true } })).toBe(0)
    expect(unitsOf({ placementKind: 'random', shards: 2, isLate: true, how: { consistent: true } })).toBe(1)
  })
})

describe('what a key has cost', () => {
  it('is summed, and taken once', () => {
    const reads = new FanOutReads()
    reads.asked(K, true)
    reads.asked(K, false)
    reads.asked(key('other'), true)
    expect([reads.take(K), reads.take(K), reads.take(key('other')), reads.take(key('new'))]).toEqual([
      1.5, 0, 1, 0,
    ])
    reads.asked(K, true)
    expect(reads.take(K)).toBe(1)
  })

  it('is kept for the 1,000 keys that were read last', () => {
    const reads = new FanOutReads()
    for (let other = 0; other <= 1_000; other++) reads.asked(key(String(other)), true)
    expect([reads.take(key('0')), reads.take(key('1'))]).toEqual([0, 1])
  })
})

it('counted views are those of the table in all other respects', async () => {
  const views = countedViews(viewsOf(3), new FanOutReads(), { initial: 2, placementKind: 'random' })
  expect([
    views.known(K),
    await views.forWrite(K),
    views.guess(K),
    await views.oneShard(K),
    await views.checkTable(K),
    await views.viewNow(K),
  ]).toEqual(['known', 'forWrite', 'guess', 'oneShard', 'checkTable', 'viewNow'])
  expect(await views.forRead(K, { consistent: false })).toEqual(fixedView(3))
})
