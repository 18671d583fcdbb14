/**
 * Attribute names of a shard map item. The item also has the logical key. The first three attributes are those of the design that
 * AWS published, so readers built for that design can read the item. The next four exist while the count of a calculated key
 * changes.
 *
 * A key in *draining* has the phase `moved` and `draining_since`, the time in the history at which this change began. Earlier
 * versions know only `moved`, and treat the key as if it was still in that phase, which is safe. They may leave the attribute behind.
 * It says nothing about another change, because no two changes begin at the same time.
 *
 * The last one identifies the write that produced the state. A process compares it when its conditional write fails. The same
 * identifier means that its own request succeeded, the response was lost, and the SDK sent the request again. Comparing the state
 * would not be enough: two processes may write the same state in the same second.
 */
export const SHARD_MAP_ATTRIBUTES = {
  numberOfShards: 'number_of_shards',
  lastUpdated: 'last_updated',
  shardHistory: 'shard_history',
  phase: 'phase',
  fromShards: 'from_shards',
  toShards: 'to_shards',
  drainingSince: 'draining_since',
  lastWrite: 'last_write',
} as const

/** Attributes in which processes record how busy a key is. They are written without a lock: a lost record only costs time. */
export const FLEET_ATTRIBUTES = {
  heatReports: 'heat_reports',
  lastBusy: 'last_busy',
  quietReads: 'quiet_reads',
  quietSince: 'quiet_since',
  quietWeighed: 'quiet_weighed',
  lastPeak: 'last_peak',
} as const
