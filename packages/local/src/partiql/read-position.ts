import type { Item } from '@isotherm/semantics'
import { INVALID_NEXT_TOKEN_TEXT } from '@isotherm/semantics'
import { type ServiceError, validationException } from '../errors/service-error.js'
import { isJsonObject } from '../json/json-kind.js'

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

const VERSION = 2

/** Encodes the position for NextToken. It is opaque to callers, but contains no secrets. */
export function encodePosition(place: ReadPlace, range: number, key: Item | undefined): string {
  return Buffer.from(JSON.stringify({ version: VERSION, ...place, range, key }), 'utf8').toString('base64')
}

/** @throws ServiceError for a token that this engine did not create, or created for another statement. */
export function decodePosition(token: string, place: ReadPlace, ranges: number): ReadPosition {
  const position = parse(Buffer.from(token, 'base64').toString('utf8'))
  if (!isJsonObject(position) || position.version !== VERSION) throw invalidToken()
  if (position.table !== place.table || position.index !== place.index) throw invalidToken()
  const { range, key } = position
  if (typeof range !== 'number' || !Number.isInteger(range) || range < 0 || range >= ranges)
    throw invalidToken()
  if (key !== undefined && !isJsonObject(key)) throw invalidToken()
  return { range, key }
}

export function invalidToken(): ServiceError {
  return validationException(INVALID_NEXT_TOKEN_TEXT)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
