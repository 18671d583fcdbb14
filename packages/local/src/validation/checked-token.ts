import { crc32 } from 'node:zlib'
import { INVALID_NEXT_TOKEN_TEXT } from '@isotherm/semantics'
import { type ServiceError, validationException } from '../errors/service-error.js'

/** A checksum in front of what a token says, as eight digits. */
const CHECKSUM_DIGITS = 8

/** A token for NextToken. It is opaque to callers, but contains no secrets. */
export function checkedToken(text: string): string {
  return Buffer.from(checksumOf(text) + text, 'utf8').toString('base64')
}

/** What a token says. @throws ServiceError for a token that was altered. */
export function textOfToken(token: string): string {
  const bytes = Buffer.from(token, 'base64')
  const text = bytes.toString('utf8', CHECKSUM_DIGITS)
  const isWhole = bytes.toString('latin1', 0, CHECKSUM_DIGITS) === checksumOf(text)
  // Characters that base64 does not have would be passed over.
  if (!isWhole || bytes.toString('base64') !== token) throw invalidToken()
  return text
}

export function invalidToken(): ServiceError {
  return validationException(INVALID_NEXT_TOKEN_TEXT)
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(CHECKSUM_DIGITS, '0')
}
