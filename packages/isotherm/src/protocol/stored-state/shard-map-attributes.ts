import { DIAGNOSES, type Diagnosis, ITEM_HASHES } from '../states/fleet-signs.js'

/**
 * Attribute names of a shard map item. The item also has the logical key. The first three attributes are those of the design that
 * AWS published, so readers built for that design can read the item. The next four exist while the count of a calculated key
 * changes.
 *
 * A key in *draining* has the phase `moved` and `draining_since`, the time in the history at which this change began. Earlier
 * versions know only `moved`, and treat the key as if it was still in that phase, which is safe. They may leave the attribute behind.
 * It says nothing about another change, because no two changes begin at the same time.
 *
 * An item with `initial_as_of` repeats the initial state of the table's card. Its count is for readers built for that design; the library
 * itself goes by the card.
 *
 * `last_write` identifies the write that produced the state. A process compares it when its conditional write fails. The same
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
  initialAsOf: 'initial_as_of',
} as const

/** Attributes in which processes record how busy a key is. They are written without a lock: a lost record only costs time. */
export const FLEET_ATTRIBUTES = {
  heatAccepted: 'heat_accepted',
  heatOffered: 'heat_offered',
  heatSamples: 'heat_samples',
  lastBusy: 'last_busy',
  lastGrowth: 'last_growth',
  lastPeak: 'last_peak',
  quietReads: 'quiet_reads',
  quietSince: 'quiet_since',
  quietWeighed: 'quiet_weighed',
} as const

/** The throttled units of the items whose hash is this one. */
export function heatOfItems(hash: number): string {
  return `heat_items_${hash}`
}

/** When the fleet last found out why more shards would not help, in seconds since the epoch. */
export function foundAttribute(diagnosis: Diagnosis): string {
  return `found_${diagnosis}`
}

/** The attributes that hold for one count only, so a new count begins without them. The last one is of earlier versions. */
export const HEAT_OF_ONE_COUNT = [
  FLEET_ATTRIBUTES.heatAccepted,
  FLEET_ATTRIBUTES.heatOffered,
  FLEET_ATTRIBUTES.heatSamples,
  ...Array.from({ length: ITEM_HASHES }, (_, hash) => heatOfItems(hash)),
  ...DIAGNOSES.map(foundAttribute),
  'heat_reports',
] as const

/** The names of all attributes that the library writes, besides the key. */
export const SHARD_MAP_NAMES: readonly string[] = [
  ...Object.values(SHARD_MAP_ATTRIBUTES),
  ...Object.values(FLEET_ATTRIBUTES),
  ...HEAT_OF_ONE_COUNT,
]
