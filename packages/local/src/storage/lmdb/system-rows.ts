import type { RecordValue } from '../record.js'
import { type Layer, rowKey } from './key-layers.js'
import type { RowReader } from './row-reader.js'

/** The layer of the store's own rows, whose values are JSON. */
const SYSTEM_LAYER: Layer = 0

/** The layer of the first keyspace. */
export const FIRST_LAYER: Layer = 1

/** The kind of a system row, which is the first part of its key. */
export type SystemRowKind = 'record' | 'keyspace' | 'dropped' | 'next-layer'

/** A keyspace that has been written to. */
export interface KeyspaceRow {
  readonly root: Layer
  readonly size: number
  readonly bytes: number
}

/** Far longer than the name of any table, index or stream, and short enough for a row's key. */
const MAX_NAME_BYTES = 1_900

const SEPARATOR = '/'
const BEHIND_SEPARATOR = '0'

export function systemKey(kind: SystemRowKind, name = ''): string {
  const bytes = Buffer.from(name)
  if (bytes.length > MAX_NAME_BYTES) {
    throw new TypeError(
      `A name in the store has at most ${MAX_NAME_BYTES} bytes; this one has ${bytes.length}.`,
    )
  }
  return rowKey(SYSTEM_LAYER, kind + SEPARATOR + bytes.toString('latin1'))
}

/** The kind and the name in a system row's key, without its layer. */
export function decodeSystemKey(key: string): { readonly kind: string; readonly name: string } {
  const at = key.indexOf(SEPARATOR)
  return { kind: key.slice(0, at), name: Buffer.from(key.slice(at + 1), 'latin1').toString() }
}

export function encodeSystemValue(value: RecordValue): Buffer {
  return Buffer.from(JSON.stringify(value))
}

/** All rows of a kind by name. */
export function* systemRows(
  database: RowReader,
  kind: SystemRowKind,
): Iterable<[name: string, value: unknown]> {
  const prefix = rowKey(SYSTEM_LAYER, kind + SEPARATOR)
  for (const { key, value } of database.range(prefix, rowKey(SYSTEM_LAYER, kind + BEHIND_SEPARATOR))) {
    yield [Buffer.from(key.slice(prefix.length), 'latin1').toString(), decodeSystemValue(database, value)]
  }
}

/** The row of a keyspace. `undefined` before anything was written to it. */
export function keyspaceRow(database: RowReader, keyspace: string): KeyspaceRow | undefined {
  const value = database.get(systemKey('keyspace', keyspace))
  return value === undefined ? undefined : (decodeSystemValue(database, value) as KeyspaceRow)
}

function decodeSystemValue(database: RowReader, value: Buffer): unknown {
  try {
    return JSON.parse(value.toString())
  } catch (error) {
    throw database.damage("a row of the store's own cannot be decoded", error)
  }
}
