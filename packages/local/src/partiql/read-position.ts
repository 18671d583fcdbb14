import { crc32 } from 'node:zlib'
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

const VERSION = 3
/** A checksum in front of the position, as eight digits. */
const CHECKSUM_DIGITS = 8

/** Encodes the position for NextToken. It is opaque to callers, but contains no secrets. */
export function encodePosition(place: ReadPlace, range: number, key: Item | undefined): string {
  const position = JSON.stringify({ version: VERSION, ...place, range, key })
  return Buffer.from(checksumOf(position) + position, 'utf8').toString('base64')
}

/** @throws ServiceError for a token that was altered, or that was created for another statement. */
export function decodePosition(token: string, place: ReadPlace, ranges: number): ReadPosition {
  const bytes = Buffer.from(token, 'base64')
  const text = bytes.toString('utf8', CHECKSUM_DIGITS)
  const isWhole = bytes.toString('latin1', 0, CHECKSUM_DIGITS) === checksumOf(text)
  // Characters that base64 does not have would be passed over.
  if (!isWhole || bytes.toString('base64') !== token) throw invalidToken()
  const position = parse(text)
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

function checksumOf(position: string): string {
  return crc32(position).toString(16).padStart(CHECKSUM_DIGITS, '0')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
