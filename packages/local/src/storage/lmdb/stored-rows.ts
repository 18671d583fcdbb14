import type { EncodedKey } from '../../keyspace/encoded-key.js'
import type { StoredItem } from '../ordered-map.js'
import type { RecordValue } from '../record.js'
import { decodeLink, LAYER_BYTES, SLICE_BYTES } from './key-layers.js'
import { checkStructure } from './pages/check-structure.js'
import { DataFile } from './pages/data-file.js'
import { PageDamage } from './pages/page-damage.js'
import { rowsOf } from './pages/rows.js'
import { isSealed, openRow } from './sealed-row.js'
import { decodeStoredItem } from './stored-item-codec.js'
import { decodeSystemKey, type KeyspaceRow } from './system-rows.js'

/** One thing that a data file holds, or a part of it that is damaged. */
export type StoredRow =
  | { readonly type: 'record'; readonly name: string; readonly value: RecordValue }
  | { readonly type: 'keyspace'; readonly name: string; readonly size: number }
  | {
      readonly type: 'item'
      readonly keyspace: string
      readonly key: EncodedKey
      readonly stored: StoredItem
    }
  | { readonly type: 'damage'; readonly what: string }
  /** A row without a checksum, which is also given as one of the above. */
  | { readonly type: 'unsealed' }

/** Where the keys of a layer belong. */
interface LayerPlace {
  /** `undefined` when the keyspace was dropped, and its rows are about to be removed. */
  readonly keyspace: string | undefined
  /** The beginning of the keys, which the layers above hold. */
  readonly prefix: string
}

/** A data file that nothing else uses. */
export interface RowsSource {
  readonly file: string
  readonly mayHaveUnsealedRows: boolean
}

/**
 * Everything that a data file holds, checked row by row, without LMDB. Rows of the store itself come first. Items come
 * in the order of their keys, and a layer of long keys behind the layer that refers to it.
 */
export function* storedRows(source: RowsSource): Iterable<StoredRow> {
  const { file, mayHaveUnsealedRows } = source
  const damage: StoredRow[] = []
  const onDamage = ({ message }: PageDamage) => damage.push({ type: 'damage', what: message })
  let data: DataFile
  try {
    data = new DataFile(file)
  } catch (error) {
    yield damageOf(error)
    return
  }
  let isReadable = true
  try {
    const layers = new Map<number, LayerPlace>()
    let rows = 0
    for (const { key, value } of rowsOf(data, onDamage)) {
      rows++
      isReadable &&= damage.length === 0
      yield* damage.splice(0)
      if (mayHaveUnsealedRows && !isSealed(value)) yield { type: 'unsealed' }
      const row = readRow(key, openRow(key, value, mayHaveUnsealedRows), layers)
      if (row !== undefined) yield row
    }
    isReadable &&= damage.length === 0
    yield* damage.splice(0)
    const { entries } = data.header.rows
    if (rows !== entries) yield { type: 'damage', what: `${rows} of ${entries} rows can be reached` }
    isReadable &&= rows === entries
  } finally {
    data.close()
  }
  if (!isReadable) return
  try {
    checkStructure(file, Number.POSITIVE_INFINITY)
  } catch (error) {
    yield damageOf(error)
  }
}

/** @throws everything that is not damage. */
function damageOf(error: unknown): StoredRow {
  if (error instanceof PageDamage) return { type: 'damage', what: error.message }
  throw error
}

/** @returns nothing for rows that only the store itself needs. */
function readRow(
  key: string,
  value: Buffer | undefined,
  layers: Map<number, LayerPlace>,
): StoredRow | undefined {
  const layer = layerOf(key)
  const place = layers.get(layer)
  const where = layer === 0 ? "a row of the store's own" : `a row of ${place?.keyspace ?? 'an unknown table'}`
  if (value === undefined) return { type: 'damage', what: `${where} does not match its checksum` }
  try {
    const rest = key.slice(LAYER_BYTES)
    if (layer === 0) return systemRow(rest, value, layers)
    if (place === undefined) return { type: 'damage', what: 'a row belongs to nothing that is intact' }
    if (rest.length > SLICE_BYTES) {
      const prefix = place.prefix + rest.slice(0, SLICE_BYTES)
      layers.set(decodeLink(value).layer, { ...place, prefix })
      return undefined
    }
    const { keyspace } = place
    if (keyspace === undefined) return undefined
    const stored = decodeStoredItem(value)
    return { type: 'item', keyspace, key: (place.prefix + rest) as EncodedKey, stored }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { type: 'damage', what: `${where} cannot be decoded (${reason})` }
  }
}

function layerOf(key: string): number {
  const bytes = Buffer.from(key.slice(0, LAYER_BYTES), 'latin1')
  return bytes.length < LAYER_BYTES ? -1 : bytes.readUIntBE(0, LAYER_BYTES)
}

function systemRow(rest: string, encoded: Buffer, layers: Map<number, LayerPlace>): StoredRow | undefined {
  const { kind, name } = decodeSystemKey(rest)
  const value: unknown = JSON.parse(encoded.toString())
  if (kind === 'dropped') layers.set(Number(name), { keyspace: undefined, prefix: '' })
  if (kind === 'record') return { type: 'record', name, value: value as RecordValue }
  if (kind !== 'keyspace') return undefined
  const { root, size } = value as KeyspaceRow
  layers.set(root, { keyspace: name, prefix: '' })
  return { type: 'keyspace', name, size }
}
