import { type Random, randomInteger } from '@isotherm/runtime'

/** The value of a sparse index's key in one of its shards, from 1. */
export function indexShard(name: string, shard: number): string {
  return `${name}#${shard}`
}

/** The key of a random shard, for an item that comes into the index. */
export function drawnIndexShard(random: Random, name: string, shards: number): string {
  return indexShard(name, randomInteger(random, 1, shards))
}

/** All shards, beginning with a random one, so that many readers do not meet in the same. */
export function shardsFromAnywhere(random: Random, shards: number): readonly number[] {
  const first = randomInteger(random, 0, shards - 1)
  return Array.from({ length: shards }, (_, index) => ((first + index) % shards) + 1)
}

/** In random order. */
export function shuffled<Member>(random: Random, members: readonly Member[]): Member[] {
  const all = [...members]
  for (let at = all.length - 1; at > 0; at--) {
    const other = randomInteger(random, 0, at)
    const [one, two] = [all[at] as Member, all[other] as Member]
    all[at] = two
    all[other] = one
  }
  return all
}
