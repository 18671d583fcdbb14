import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { SharedState } from '../shard-map/shard-map.js'
import { FLEET_ATTRIBUTES } from '../shard-map/shard-map-attributes.js'
import { fromAttributes, toAttributes } from '../shard-map/shard-map-item.js'

/** Increased when the format changes, so that versions of the library that run side by side do not misread each other. */
const VERSION = 1

/**
 * Encodes the state as a shard map item in DynamoDB JSON, so the text can hold everything that an item holds. The text includes
 * when the fleet last found the key busy, so that a process that reads it from the cache does not record that again.
 */
export function toText({ state, askedAt }: SharedState): string {
  const busy = { [FLEET_ATTRIBUTES.lastBusy]: { N: String(state.fleet?.lastBusy ?? 0) } }
  return JSON.stringify([VERSION, askedAt, { ...toAttributes(state), ...busy }])
}

/**
 * @returns `undefined` for a text of another version
 * @throws SyntaxError, or IsothermError `shard-map.malformed`, for a text that no version writes
 */
export function fromText(shardMap: string, text: string): SharedState | undefined {
  const parsed: unknown = JSON.parse(text)
  if (!Array.isArray(parsed) || parsed[0] !== VERSION || !Number.isFinite(parsed[1])) return undefined
  const [, askedAt, item] = parsed as [number, number, Record<string, AttributeValue>]
  return { state: fromAttributes(shardMap, Object(item)), askedAt }
}
