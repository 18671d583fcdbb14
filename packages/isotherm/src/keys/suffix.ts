import { utf8Length } from '@isotherm/semantics'
import { IsothermError } from '../errors/isotherm-error.js'
import { MAX_SHARDS } from '../options/shard-limits.js'
import { type LogicalKey, type PhysicalKey, plainKey, type SuffixableKey } from './key.js'
import { withEnd } from './key-end.js'
import { hasKeyLength, requireKeyLength } from './key-length.js'
import type { ShardNames, SuffixedKey, SuffixRange } from './shard-names.js'

const SHARD_NUMBER = /^[1-9]\d{0,3}$/

/**
 * Converts between logical and physical keys of one table. The suffix is always present and always last, so a logical
 * key may contain the delimiter, and may even end like a suffix.
 *
 * In an adopted table, the first shard is the key without a suffix, because existing items are stored that way. A
 * logical key that ends like a suffix could then be a shard of a shorter key, so it is rejected.
 */
export class Suffix implements ShardNames {
  readonly #table: string
  readonly #delimiter: string
  readonly #delimiterBytes: number
  readonly #adopted: boolean
  readonly #firstCount: number
  readonly suffixes: SuffixRange

  /** @param firstCount the shards that each key has from the beginning */
  constructor(table: string, delimiter: string, adopted: boolean, firstCount = 1) {
    this.#table = table
    this.#delimiter = delimiter
    this.#delimiterBytes = utf8Length(delimiter)
    this.#adopted = adopted
    this.#firstCount = firstCount
    // `:` is the character after the digits. The first shard has no suffix in an adopted table.
    this.suffixes = { first: `${delimiter}1`, last: `${delimiter}:`, any: `${delimiter}2` }
  }

  /**
   * @throws IsothermError `key.too-long` when the key with its suffix exceeds DynamoDB's limit, `key.ambiguous` when it
   * could be a shard of another key in an adopted table
   */
  add(logical: LogicalKey, shard: number): PhysicalKey {
    if (this.#adopted) {
      if (!this.accepts(logical)) throw this.#ambiguous(logical)
      if (this.#isBare(shard)) return { ...logical } as SuffixableKey as PhysicalKey
    }
    this.#requireLength(logical, shard)
    return withEnd(logical, this.#delimiter + shard) as PhysicalKey
  }

  hasRoom(logical: LogicalKey, shard: number): boolean {
    return this.#isBare(shard) || hasKeyLength(logical, this.#suffixBytes(shard))
  }

  requireRoom(logical: LogicalKey, shards = this.#firstCount): void {
    if (!this.#isBare(shards)) this.#requireLength(logical, shards)
  }

  #requireLength(logical: LogicalKey, shard: number): void {
    requireKeyLength(this.#table, logical, this.#suffixBytes(shard))
  }

  #suffixBytes(shard: number): number {
    return this.#delimiterBytes + String(shard).length
  }

  /** Whether the shard's stored key is the logical key, whose length the service checks. */
  #isBare(shard: number): boolean {
    return this.#adopted && shard === 1
  }

  /** @returns `undefined` for a key that is not a shard of any logical key of this table */
  strip(physical: SuffixableKey): SuffixedKey | undefined {
    const stripped = this.#stripSuffix(physical)
    if (stripped !== undefined || !this.#adopted) return stripped
    return { logical: physical as LogicalKey, shard: 1 }
  }

  accepts(logical: SuffixableKey): boolean {
    return !this.#adopted || this.#stripSuffix(logical) === undefined
  }

  #stripSuffix(physical: SuffixableKey): SuffixedKey | undefined {
    const text = 'S' in physical ? physical.S : Buffer.from(physical.B).toString('latin1')
    const delimiter = 'S' in physical ? this.#delimiter : Buffer.from(this.#delimiter).toString('latin1')
    const end = text.lastIndexOf(delimiter)
    if (end < 0) return undefined
    const digits = text.slice(end + delimiter.length)
    const shard = Number(digits)
    if (!SHARD_NUMBER.test(digits) || shard > MAX_SHARDS) return undefined
    if (this.#adopted && shard === 1) return undefined
    const logical = 'S' in physical ? { S: text.slice(0, end) } : { B: physical.B.subarray(0, end) }
    return { logical: logical as LogicalKey, shard }
  }

  #ambiguous(logical: LogicalKey): IsothermError<'key.ambiguous'> {
    const value = plainKey(logical)
    const shown = typeof value === 'string' ? JSON.stringify(value) : 'of bytes'
    return new IsothermError(
      'key.ambiguous',
      `The partition key ${shown} of ${this.#table} ends like a suffix. The table is adopted, so its keys stand for themselves and this one could be a shard of another. ` +
        'Choose a delimiter that no key contains, or find such keys with `isotherm adopt --check`.',
      { table: this.#table, logicalKey: value },
    )
  }
}
