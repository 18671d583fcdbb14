import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { SharedState } from '../shard-map/shared-reads.js'
import { fromAttributes, toAttributes, toFleetAttributes } from '../stored-state/shard-map-item.js'

/** Increased when the format changes, so that versions of the library that run side by side do not misread each other. */
const VERSION = 1

/**
 * Encodes the state as a shard map item in DynamoDB JSON, so the text can hold everything that an item holds. The text includes
 * when the fleet last found the key busy and what it reads, so that a process that reads the cache adds to the same records.
 * @param made the name of the card of the shard map that was read; `undefined` if it has none
 */
export function toText({ state, askedAt }: SharedState, made: string | undefined): string {
  const item = { ...toAttributes(state), ...toFleetAttributes(state) }
  return JSON.stringify([VERSION, askedAt, item, ...(made === undefined ? [] : [made])])
}

/**
 * @returns `undefined` for a text of another version, or of a shard map with another card
 * @throws SyntaxError, or IsothermError `shard-map.malformed`, for a text that no version writes
 */
export function fromText(shardMap: string, text: string, made: string | undefined): SharedState | undefined {
  const parsed: unknown = JSON.parse(text)
  if (!Array.isArray(parsed) || parsed[0] !== VERSION || !Number.isFinite(parsed[1])) return undefined
  if (parsed[3] !== made) return undefined
  const [, askedAt, item] = parsed as [number, number, Record<string, AttributeValue>]
  return { state: fromAttributes(shardMap, Object(item)), askedAt }
}
