import { crc32 } from 'node:zlib'

/**
 * The first byte of a sealed row. No row of format version 1 begins with it, and none begins with a byte that differs
 * from it in one bit only: those rows begin with a small number, with 0x80, or with a character of JSON.
 */
const SEAL = 0xc5
const CHECKSUM_AT = 1
const VALUE_AT = 5

/**
 * Puts a checksum in front of a row's value. It covers the key, too, so that a row whose key was damaged is noticed.
 *
 * CRC-32 notices all errors of one to three bits in a row, and all bursts of up to 32 bits. Node computes it natively.
 */
export function sealRow(key: string, value: Buffer): Buffer {
  const sealed = Buffer.allocUnsafe(VALUE_AT + value.length)
  sealed[0] = SEAL
  sealed.writeUInt32BE(checksumOf(key, value), CHECKSUM_AT)
  value.copy(sealed, VALUE_AT)
  return sealed
}

/** Whether a row has a checksum. Rows that format version 1 wrote have none until they are written again. */
export function isSealed(row: Buffer): boolean {
  return row[0] === SEAL
}

/**
 * The value of a row, or `undefined` when the row is not the one that was written.
 * @param mayBeUnsealed whether a row without a checksum is one of an older version. A node of another size than it had may
 * look like one.
 */
export function openRow(key: string, row: Buffer, mayBeUnsealed: boolean): Buffer | undefined {
  if (!isSealed(row)) return mayBeUnsealed ? row : undefined
  if (row.length < VALUE_AT) return undefined
  const value = row.subarray(VALUE_AT)
  return checksumOf(key, value) === row.readUInt32BE(CHECKSUM_AT) ? value : undefined
}

function checksumOf(key: string, value: Buffer): number {
  return crc32(value, hashOf(key))
}

/** Any change of one character changes it, because 31 is odd. For keys of this length it takes half as long as `crc32`. */
function hashOf(key: string): number {
  let hash = 0
  for (let at = 0; at < key.length; at++) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0
  return hash >>> 0
}
