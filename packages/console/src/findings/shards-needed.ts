import type { HeatMap } from '../api/heat-map.js'

/** A key that needs several partitions should not fill them: shards meet in partitions, and traffic is uneven. */
export const FILLED = 0.7

/** The traffic that a key asks for: units that were accepted, and requests that were not, for a second. */
export interface AskedTraffic {
  readonly writes: number
  readonly reads: number
  readonly throttles: number
}

/** How many shards a key needs, by the access that is closer to the limit of a partition. */
export interface ShardNeed {
  readonly access: 'write' | 'read'
  /** Units a second of that access that were accepted. */
  readonly accepted: number
  /** Accepted units and throttled requests of both kinds, for a second. Retries are included. */
  readonly asked: number
  /** What one partition serves. */
  readonly capacity: number
  readonly shards: number
}

/** @returns at least one shard, each at `FILLED` of a partition. */
export function shardsNeeded({ writes, reads, throttles }: AskedTraffic, limit: HeatMap['limit']): ShardNeed {
  const access = writes / limit.writes >= reads / limit.reads ? 'write' : 'read'
  const capacity = access === 'write' ? limit.writes : limit.reads
  const asked = writes + reads + throttles
  const shards = Math.max(1, Math.ceil(asked / (capacity * FILLED)))
  return { access, accepted: access === 'write' ? writes : reads, asked, capacity, shards }
}
