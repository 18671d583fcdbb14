import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { fromAttributes, type ShardState, toAttributes } from '../shard-map/shard-state.js'

/** A state of the shard map, and when it was read or written there. */
export interface DatedState {
  readonly state: ShardState
  /** Milliseconds since the Unix epoch, at or before the moment at which the table answered. */
  readonly readAt: number
}

/** Raised when the meaning of the texts changes, so that versions of the library that run side by side do not misread each other. */
const VERSION = 1

/** The state as an item of the shard map, in DynamoDB's own JSON: whatever an item holds, the text can hold. */
export function toText({ state, readAt }: DatedState): string {
  return JSON.stringify([VERSION, readAt, toAttributes(state)])
}

/**
 * @returns `undefined` for the text of another version
 * @throws SyntaxError, or IsothermError `shard-map.malformed`, for what no version has written
 */
export function fromText(shardMap: string, text: string): DatedState | undefined {
  const parsed: unknown = JSON.parse(text)
  if (!Array.isArray(parsed) || parsed[0] !== VERSION || !Number.isFinite(parsed[1])) return undefined
  const [, readAt, item] = parsed as [number, number, Record<string, AttributeValue>]
  return { state: fromAttributes(shardMap, Object(item)), readAt }
}
