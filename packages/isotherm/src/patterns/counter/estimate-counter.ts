import { type Random, randomInteger } from '@isotherm/runtime'
import { readItem, readItems } from '../read-items.js'
import type { CounterTarget } from './add-to-counter.js'
import { countOf, type Head, headOf } from './counter-items.js'

/** An estimate of a counter from some of its shards. */
export interface CounterEstimate {
  readonly value: number
  /**
   * The value is at most so far from the true one, in 99 of 100 estimates: three standard errors. 0 if all shards were read. It is
   * measured from the shards that were read, which takes several to be good.
   */
  readonly margin: number
  /** How many shards were read, and how many there are. */
  readonly shardsRead: number
  readonly shards: number
}

/** Shards that were added by the same growth, from and to their numbers. */
interface Stratum {
  readonly from: number
  readonly to: number
}

const STANDARD_ERRORS = 3
/** Of one shard nobody can say how much shards differ. */
const LEAST_OF_STRATUM = 2
const MAX_READINGS = 50

/**
 * Reads `k` shards and extrapolates.
 *
 * Shards that were added later have counted less. So each growth is a stratum of its own, of which some shards are read, and in which
 * all shards have the same chance of a count. ("Stratified sampling", as in every textbook of statistics.)
 */
export async function estimateCounter(target: CounterTarget, k: number): Promise<CounterEstimate> {
  const { db, options, items } = target
  const readHead = async () => headOf(await readItem(db, options, options.table, items.head))
  let head = await readHead()
  for (let readings = 0; ; readings++) {
    const strata = strataOf(head)
    const chosen = allotted(strata, k).map((count, index) =>
      drawn(options.random, strata[index] as Stratum, count),
    )
    const found = await readItems(
      db,
      options,
      options.table,
      chosen.flat().map((shard) => items.shard(shard)),
    )
    const after = await readHead()
    if (after.moves !== head.moves && readings < MAX_READINGS) {
      head = after
      continue
    }
    const counts = new Map(found.map((item) => [items.shardOf(item), Number(countOf(item))]))
    return estimateOf(head, strata, chosen, counts)
  }
}

function strataOf({ steps, highest }: Head): readonly Stratum[] {
  const borders = [...new Set([...steps, highest])].filter((to) => to <= highest).sort((a, b) => a - b)
  return borders.map((to, index) => ({ from: (borders[index - 1] ?? 0) + 1, to }))
}

/** How many shards of each stratum are read: all if they are few, and a share by their number of what is left. */
function allotted(strata: readonly Stratum[], k: number): readonly number[] {
  const sizes = strata.map(({ from, to }) => to - from + 1)
  const least = sizes.map((size) => Math.min(size, LEAST_OF_STRATUM))
  const all = sizes.reduce((sum, size) => sum + size, 0)
  const left = Math.max(0, Math.min(k, all) - least.reduce((sum, count) => sum + count, 0))
  const room = sizes.reduce((sum, size, index) => sum + size - (least[index] ?? 0), 0)
  return sizes.map((size, index) => {
    const begun = least[index] ?? 0
    return room === 0 ? size : Math.min(size, begun + Math.round((left * (size - begun)) / room))
  })
}

function drawn(random: Random, { from, to }: Stratum, count: number): readonly number[] {
  const shards = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  for (let at = 0; at < count; at++) {
    const other = randomInteger(random, at, shards.length - 1)
    const [one, two] = [shards[at] as number, shards[other] as number]
    shards[at] = two
    shards[other] = one
  }
  return shards.slice(0, count)
}

function estimateOf(
  head: Head,
  strata: readonly Stratum[],
  chosen: readonly (readonly number[])[],
  counts: ReadonlyMap<number, number>,
): CounterEstimate {
  let value = Number(head.total)
  let variance = 0
  for (const [index, { from, to }] of strata.entries()) {
    const read = (chosen[index] ?? []).map((shard) => counts.get(shard) ?? 0)
    const size = to - from + 1
    const mean = read.reduce((sum, count) => sum + count, 0) / read.length
    value += size * mean
    if (read.length === size) continue
    const spread = read.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (read.length - 1)
    // Counts of one each differ as chance has it, by the root of their mean, even where few shards happen to be alike.
    const ofOne = Math.max(spread, Math.abs(mean))
    variance += (size ** 2 * ofOne * (1 - read.length / size)) / read.length
  }
  const shardsRead = chosen.reduce((sum, shards) => sum + shards.length, 0)
  const margin = Math.ceil(STANDARD_ERRORS * Math.sqrt(variance))
  return { value: Math.round(value), margin, shardsRead, shards: head.highest }
}
