import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { IsothermError } from '../errors/isotherm-error.js'

/** Attribute names of a shard map item, as in AWS's published design. The logical key stands beside them. */
export const SHARD_MAP_ATTRIBUTES = {
  numberOfShards: 'number_of_shards',
  lastUpdated: 'last_updated',
  shardHistory: 'shard_history',
} as const

/** What the shard map says of one logical key. */
export interface ShardState {
  /** Shards that writers use now. */
  readonly shards: number
  /** Epoch seconds of the last change: the optimistic lock. It grows at every change, even within one second. */
  readonly lastUpdated: number
  /** The last changes, oldest first: `"<epoch>:<count>"`. */
  readonly history: readonly string[]
}

/** Bounds the item. The entry with the highest count stays whatever its age: readers need it. */
const MAX_HISTORY = 20

/** Shards that may hold items: those in use, and those that once were. */
export function readableShards({ shards, history }: ShardState): number {
  return history.reduce((most, entry) => Math.max(most, countOf(entry)), shards)
}

/** Whether the count was ever changed since the key was first seen. */
export function wasScaled({ history }: ShardState): boolean {
  return history.length > 1
}

/** The state of a key that is seen for the first time. */
export function firstState(shards: number, epochSeconds: number): ShardState {
  return { shards, lastUpdated: epochSeconds, history: [`${epochSeconds}:${shards}`] }
}

/** The state after a change. Two changes never have the same time, or the lock on it would not hold. */
export function changedState(from: ShardState, shards: number, epochSeconds: number): ShardState {
  const lastUpdated = Math.max(epochSeconds, from.lastUpdated + 1)
  return { shards, lastUpdated, history: bounded([...from.history, `${lastUpdated}:${shards}`]) }
}

/** The attributes of a state, without the key. */
export function toAttributes({ shards, lastUpdated, history }: ShardState): Record<string, AttributeValue> {
  return {
    [SHARD_MAP_ATTRIBUTES.numberOfShards]: { N: String(shards) },
    [SHARD_MAP_ATTRIBUTES.lastUpdated]: { N: String(lastUpdated) },
    [SHARD_MAP_ATTRIBUTES.shardHistory]: { SS: [...history] },
  }
}

/**
 * Reads an item of the shard map; a missing history, as another writer may leave it, counts as an empty one.
 * @throws IsothermError `shard-map.malformed`
 */
export function fromAttributes(shardMap: string, item: Record<string, AttributeValue>): ShardState {
  const history = item[SHARD_MAP_ATTRIBUTES.shardHistory]?.SS ?? []
  return {
    shards: readNumber(shardMap, item, SHARD_MAP_ATTRIBUTES.numberOfShards, 1),
    lastUpdated: readNumber(shardMap, item, SHARD_MAP_ATTRIBUTES.lastUpdated, 0),
    history: history.filter((entry) => HISTORY_ENTRY.test(entry)).sort((a, b) => timeOf(a) - timeOf(b)),
  }
}

const HISTORY_ENTRY = /^\d+:[1-9]\d*$/

function readNumber(
  shardMap: string,
  item: Record<string, AttributeValue>,
  attribute: string,
  from: number,
): number {
  const text = item[attribute]?.N
  const value = Number(text)
  if (text !== undefined && Number.isInteger(value) && value >= from) return value
  throw new IsothermError(
    'shard-map.malformed',
    `An item of the shard map ${shardMap} has ${attribute} ${JSON.stringify(item[attribute])}; it must be a whole number from ${from} up. Correct the item.`,
    { shardMap, attribute, value: item[attribute] },
  )
}

function bounded(history: readonly string[]): readonly string[] {
  if (history.length <= MAX_HISTORY) return history
  const highest = history.reduce((best, entry) => (countOf(entry) > countOf(best) ? entry : best))
  const recent = history.slice(-MAX_HISTORY)
  return recent.includes(highest) ? recent : [highest, ...recent.slice(1)]
}

function timeOf(entry: string): number {
  return Number(entry.slice(0, entry.indexOf(':')))
}

function countOf(entry: string): number {
  return Number(entry.slice(entry.indexOf(':') + 1))
}
