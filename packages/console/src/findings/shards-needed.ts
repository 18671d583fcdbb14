import { keyOdds, oneKeyShards } from '@isotherm/advisor/sizing'
import type { HeatMap } from '../api/heat-map.js'

/** A partition should not be filled by what it usually carries: traffic is uneven. The advisor's head-room is the same. */
export const FILLED = 0.7
/** The odds that no partition is fuller than that. */
export const CONFIDENCE = 0.99
/** A table can be given more partitions before a load. With more than these times as many, no key is hot. */
const MAX_FACTOR = 64
/** Odds for more partitions than these hardly differ, and take long to compute. */
const MAX_PARTITIONS = 256
/** More than the rows of a map that ask for more than one partition serves. */
const MAX_KNOWN = 500

/** The traffic that a key asks for: units that were accepted, and requests that were not, for a second. */
export interface AskedTraffic {
  readonly writes: number
  readonly reads: number
  readonly throttles: number
  /** Units of all other keys at that time. */
  readonly otherWrites: number
  readonly otherReads: number
}

/** How many shards a key needs, by the access that is closer to the limit of a partition. */
export interface ShardNeed {
  readonly access: 'write' | 'read'
  /** Accepted units and throttled requests of both kinds, for a second. Retries are included. */
  readonly asked: number
  /** What one partition serves. */
  readonly capacity: number
  /** So many shards would be enough if no two of them met in a partition. */
  readonly least: number
  /** So many are enough with odds of `CONFIDENCE`, although they meet. */
  readonly shards: number
  /** The partitions for which `shards` is. More than there are, if these cannot carry the traffic. */
  readonly partitions: number
  readonly isShort: boolean
  /** The odds that the shards which the key has are enough. */
  readonly oddsNow: number
}

/** The needs that were computed last, by what they are computed from. */
const known = new Map<string, ShardNeed>()

/**
 * The odds of many shards take tenths of a second to compute, and a map asks each second for rows whose hottest column is the same
 * as before. So the latest needs are kept.
 *
 * @param now the shards that the key has
 * @returns at least one shard, with no partition above `FILLED` of its limit
 */
export function shardsNeeded(
  traffic: AskedTraffic,
  { limit, partitions }: Pick<HeatMap, 'limit' | 'partitions'>,
  now: number,
): ShardNeed {
  const { writes, reads, throttles, otherWrites, otherReads } = traffic
  const asked = [
    writes,
    reads,
    throttles,
    otherWrites,
    otherReads,
    limit.writes,
    limit.reads,
    partitions,
    now,
  ]
  const question = asked.join()
  const need = known.get(question) ?? computedNeed(traffic, { limit, partitions }, now)
  known.delete(question)
  known.set(question, need)
  const [oldest] = known.keys()
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
  return need
}

function computedNeed(
  { writes, reads, throttles, otherWrites, otherReads }: AskedTraffic,
  { limit, partitions: existing }: Pick<HeatMap, 'limit' | 'partitions'>,
  now: number,
): ShardNeed {
  const access = writes / limit.writes >= reads / limit.reads ? 'write' : 'read'
  const [capacity, others] = access === 'write' ? [limit.writes, otherWrites] : [limit.reads, otherReads]
  const asked = writes + reads + throttles
  const there = Math.min(MAX_PARTITIONS, Math.max(1, existing))
  const demandOn = (partitions: number) => ({
    units: asked,
    baseUnits: others / Math.max(partitions, existing),
    limitUnits: capacity * FILLED,
    partitions,
    confidence: CONFIDENCE,
  })
  const need = { access, asked, capacity } as const
  const least = Math.max(1, Math.ceil(asked / (capacity * FILLED)))
  const oddsNow = keyOdds(Math.max(1, now), demandOn(there))
  for (let partitions = there; partitions <= there * MAX_FACTOR; partitions *= 2) {
    const found = oneKeyShards(demandOn(partitions))
    if (found === undefined) continue
    return { ...need, least, shards: found.shards, partitions, isShort: partitions > there, oddsNow }
  }
  return { ...need, least, shards: least, partitions: there * MAX_FACTOR, isShort: true, oddsNow }
}
