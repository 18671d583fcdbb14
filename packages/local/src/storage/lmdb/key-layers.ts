import type { LocalError } from '../../errors/local-error.js'
import type { EncodedKey } from '../../keyspace/encoded-key.js'
import type { KeyRange } from '../../keyspace/key-range.js'
import { MAX_ROW_KEY_BYTES } from './database.js'
import type { Row, RowReader } from './row-reader.js'

/** A set of rows whose keys begin with the same number. The store itself uses layer 0; see `system-rows.ts`. */
export type Layer = number

/** 2^48 layers are more than any store will ever create. */
export const LAYER_BYTES = 6
const LINK_BYTES = 2 * LAYER_BYTES

/** Follows the slice in the key of a link, and sorts after all links of that slice. */
const LINK = '\u0001'
const BEHIND_LINK = '\u0002'

/** How many bytes of a key fit into one layer. */
export const SLICE_BYTES = MAX_ROW_KEY_BYTES - LAYER_BYTES - LINK.length

/** The layer that holds the rest of keys longer than a slice, and how many such keys there are. */
export interface Link {
  readonly layer: Layer
  readonly keys: number
}

/** A row of a layer. It has a link when longer keys continue in another layer. */
export interface LayerRow {
  readonly key: string
  readonly link: Link | undefined
}

/**
 * Keys of any length, in order, stored in rows whose keys are bounded.
 *
 * DynamoDB's keys have up to 3 KB, and keys of index entries up to four times that once their zeros are escaped. LMDB's
 * keys have 1,978 bytes. A key that fits is a row of its layer. A longer key is cut: its first slice plus one byte is
 * the key of a link to another layer, which stores the rest of the key by the same rule. A key equal to the slice sorts
 * just before its link. Every other key of the layer sorts on the same side of both. So a walk over the rows that
 * enters each link on its way visits all keys in order.
 *
 * Rejected alternatives: larger pages would accept longer keys, but every commit writes whole pages. A hash in place of
 * a key's end would lose the order.
 *
 * Source: Mao, Kohler and Morris, Cache Craftiness for Fast Multicore Key-Value Storage, EuroSys 2012.
 */
export class KeyLayers {
  readonly #database: RowReader
  readonly #sliceBytes: number

  /** @param sliceBytes smaller in tests, so that short keys exceed it. */
  constructor(database: RowReader, sliceBytes = SLICE_BYTES) {
    this.#database = database
    this.#sliceBytes = sliceBytes
  }

  get mayHaveUnsealedRows(): boolean {
    return this.#database.mayHaveUnsealedRows
  }

  get(root: Layer, key: EncodedKey): Buffer | undefined {
    let layer = root
    let rest: string = key
    while (this.isLong(rest)) {
      const link = this.link(this.linkKey(layer, rest))
      if (link === undefined) return undefined
      layer = link.layer
      rest = this.rest(rest)
    }
    return this.#database.get(rowKey(layer, rest))
  }

  /** All keys in the range with their values, in ascending or descending order. */
  range(root: Layer, { from, to }: KeyRange, reverse: boolean): Iterable<Row> {
    return this.#walk(root, '', from, to, reverse)
  }

  /** The rows of one layer. Links are not followed. */
  *rows(layer: Layer): Iterable<LayerRow> {
    for (const { key, value } of this.#database.range(rowKey(layer, ''), rowKey(layer + 1, ''))) {
      yield { key, link: this.#isLink(key) ? this.#decodedLink(value) : undefined }
    }
  }

  /** Whether a key, or the rest of one, continues in another layer. */
  isLong(key: string): boolean {
    return key.length > this.#sliceBytes
  }

  /** The key of the link that a long key follows. */
  linkKey(layer: Layer, key: string): string {
    return rowKey(layer, key.slice(0, this.#sliceBytes)) + LINK
  }

  /** The rest of a long key, which the next layer stores. */
  rest(key: string): string {
    return key.slice(this.#sliceBytes)
  }

  link(linkKey: string): Link | undefined {
    const value = this.#database.get(linkKey)
    return value === undefined ? undefined : this.#decodedLink(value)
  }

  /** Reports and returns the error for a damaged row. */
  damage(what: string, cause?: unknown): LocalError {
    return this.#database.damage(what, cause)
  }

  *#walk(
    layer: Layer,
    prefix: string,
    from: string,
    to: string | undefined,
    reverse: boolean,
  ): Iterable<Row> {
    const start = this.isLong(from) ? this.linkKey(layer, from) : rowKey(layer, from)
    for (const { key, value } of this.#database.range(start, this.#end(layer, to), reverse)) {
      const slice = key.slice(LAYER_BYTES, LAYER_BYTES + this.#sliceBytes)
      if (!this.#isLink(key)) {
        yield { key: prefix + slice, value }
        continue
      }
      const below = this.isLong(from) && from.startsWith(slice) ? this.rest(from) : ''
      const above = to !== undefined && this.isLong(to) && to.startsWith(slice) ? this.rest(to) : undefined
      yield* this.#walk(this.#decodedLink(value).layer, prefix + slice, below, above, reverse)
    }
  }

  #end(layer: Layer, to: string | undefined): string {
    if (to === undefined) return rowKey(layer + 1, '')
    if (!this.isLong(to)) return rowKey(layer, to)
    return rowKey(layer, to.slice(0, this.#sliceBytes)) + BEHIND_LINK
  }

  #decodedLink(value: Buffer): Link {
    if (value.length !== LINK_BYTES) throw this.damage('a link between rows has another length')
    return decodeLink(value)
  }

  #isLink(rowKey: string): boolean {
    return rowKey.length > LAYER_BYTES + this.#sliceBytes
  }
}

/** The row key of a key that fits into its layer. */
export function rowKey(layer: Layer, key: string): string {
  const low = layer % 2 ** 24
  const high = (layer - low) / 2 ** 24
  return threeBytes(high) + threeBytes(low) + key
}

export function encodeLink({ layer, keys }: Link): Buffer {
  const encoded = Buffer.allocUnsafe(LINK_BYTES)
  encoded.writeUIntBE(layer, 0, LAYER_BYTES)
  encoded.writeUIntBE(keys, LAYER_BYTES, LAYER_BYTES)
  return encoded
}

export function decodeLink(encoded: Buffer): Link {
  return { layer: encoded.readUIntBE(0, LAYER_BYTES), keys: encoded.readUIntBE(LAYER_BYTES, LAYER_BYTES) }
}

function threeBytes(value: number): string {
  return String.fromCharCode(value >>> 16, (value >>> 8) & 0xff, value & 0xff)
}
