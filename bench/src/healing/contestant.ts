import { doubling, dynamicShards, fixedShards, growByReads, incrementBy } from 'isotherm'

type Shards = ReturnType<typeof dynamicShards> | ReturnType<typeof fixedShards>

/** A way to choose the number of shards. */
export interface Contestant {
  readonly name: string
  readonly shards: () => Shards
}

/** The library as it comes. */
export const DEFAULTS: Contestant = { name: 'isotherm', shards: () => dynamicShards() }

/**
 * What the library is compared with: the published policy of one shard more each five minutes, twice as many a minute,
 * and counts that somebody who knew the load might have chosen.
 */
export const OTHERS: readonly Contestant[] = [
  { name: 'article', shards: () => dynamicShards({ policy: incrementBy(1), cooldown: '5m' }) },
  { name: 'by-reads', shards: () => dynamicShards({ reads: growByReads() }) },
  { name: 'doubling', shards: () => dynamicShards({ policy: doubling() }) },
  ...[1, 4, 8, 10, 16, 32, 48, 50, 96].map((count) => ({
    name: `fixed-${count}`,
    shards: () => fixedShards(count),
  })),
]
