/**
 * Attribute names of a shard map item. The first three are those of AWS's published design, whose readers work on it. The next
 * three exist while the count of a calculated key changes. The logical key stands beside them.
 *
 * The last one is the name of the write that the state comes from. A process whose write is refused because the item has changed
 * compares it: the same name means that its own request was carried out, its response was lost, and the SDK sent it again. The
 * state itself would not tell: two processes may want the same one in the same second.
 */
export const SHARD_MAP_ATTRIBUTES = {
  numberOfShards: 'number_of_shards',
  lastUpdated: 'last_updated',
  shardHistory: 'shard_history',
  phase: 'phase',
  fromShards: 'from_shards',
  toShards: 'to_shards',
  lastWrite: 'last_write',
} as const

/** Where processes record for each other how busy a key is. It is written without a lock: losing a part of it costs time only. */
export const FLEET_ATTRIBUTES = { heatReports: 'heat_reports', lastBusy: 'last_busy' } as const
