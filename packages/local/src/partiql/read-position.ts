import type { Item } from '@isotherm/semantics'
import { isJsonObject } from '../json/json-kind.js'
import { checkedToken, invalidToken, textOfToken } from '../validation/checked-token.js'

/** The position where a SELECT continues: the index of its range, and the last key read there, if any. */
export interface ReadPosition {
  readonly range: number
  readonly key?: unknown
}

/** The table or index that a token belongs to. */
export interface ReadPlace {
  readonly table: string
  readonly index: string | undefined
}

const VERSION = 3

/** Encodes the position for NextToken. */
export function encodePosition(place: ReadPlace, range: number, key: Item | undefined): string {
  return checkedToken(JSON.stringify({ version: VERSION, ...place, range, key }))
}

/** @throws ServiceError for a token that was altered, or that was created for another statement. */
export function decodePosition(token: string, place: ReadPlace, ranges: number): ReadPosition {
  const position = parse(textOfToken(token))
  if (!isJsonObject(position) || position.version !== VERSION) throw invalidToken()
  if (position.table !== place.table || position.index !== place.index) throw invalidToken()
  const { range, key } = position
  if (typeof range !== 'number' || !Number.isInteger(range) || range < 0 || range >= ranges)
    throw invalidToken()
  if (key !== undefined && !isJsonObject(key)) throw invalidToken()
  return { range, key }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
