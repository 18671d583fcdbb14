import { attributeOf, type Item, itemBytes, pickAttributes } from '@isotherm/semantics'
import type { StoredItem } from '../storage/ordered-map.js'

import type { SequenceNumber } from './sequence-number.js'

/** The images of a changed item that a stream record holds. */
export type StreamViewType = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES'

/** The kind of change to an item. */
type StreamEventName = 'INSERT' | 'MODIFY' | 'REMOVE'

/** A change of one item, as a stream record. */
export interface StreamRecord {
  readonly sequenceNumber: SequenceNumber
  readonly eventName: StreamEventName
  /** In milliseconds since the epoch. */
  readonly createdAt: number
  readonly keys: Item
  readonly newImage: Item | undefined
  readonly oldImage: Item | undefined
  /** Whether the service itself made the change, because the item had expired. */
  readonly byService: boolean
  readonly sizeBytes: number
}

/** The change described by a record. At least one of the items is present. */
export interface ItemChange {
  readonly before: StoredItem | undefined
  readonly after: StoredItem | undefined
  readonly byService?: boolean
}

/** Encodes a record as a stored item. Its sequence number is in its key. */
export function encodeRecord(
  { before, after, byService = false }: ItemChange,
  keyNames: readonly string[],
  viewType: StreamViewType,
  now: number,
): StoredItem {
  const keys = pickAttributes((after ?? before)?.item ?? {}, keyNames)
  const newImage = viewType === 'NEW_IMAGE' || viewType === 'NEW_AND_OLD_IMAGES' ? after : undefined
  const oldImage = viewType === 'OLD_IMAGE' || viewType === 'NEW_AND_OLD_IMAGES' ? before : undefined
  const item: Item = {
    eventName: { S: eventNameOf(before, after) },
    createdAt: { N: String(Math.floor(now)) },
    keys: { M: keys },
    ...(newImage === undefined ? {} : { newImage: { M: newImage.item } }),
    ...(oldImage === undefined ? {} : { oldImage: { M: oldImage.item } }),
    ...(byService ? { byService: { BOOL: true } } : {}),
  }
  return { item, bytes: itemBytes(keys) + (newImage?.bytes ?? 0) + (oldImage?.bytes ?? 0) }
}

export function decodeRecord(sequenceNumber: SequenceNumber, { item, bytes }: StoredItem): StreamRecord {
  return {
    sequenceNumber,
    eventName: textOf(item, 'eventName') as StreamEventName,
    createdAt: Number(textOf(item, 'createdAt')),
    keys: mapOf(item, 'keys') ?? {},
    newImage: mapOf(item, 'newImage'),
    oldImage: mapOf(item, 'oldImage'),
    byService: attributeOf(item, 'byService') !== undefined,
    sizeBytes: bytes,
  }
}

function eventNameOf(before: StoredItem | undefined, after: StoredItem | undefined): StreamEventName {
  if (before === undefined) return 'INSERT'
  return after === undefined ? 'REMOVE' : 'MODIFY'
}

function textOf(item: Item, name: string): string {
  const value = attributeOf(item, name)
  if (value !== undefined && 'S' in value) return value.S
  if (value !== undefined && 'N' in value) return value.N
  throw new Error(`A stream record has no ${name}; the store returned something else than was written.`)
}

function mapOf(item: Item, name: string): Item | undefined {
  const value = attributeOf(item, name)
  return value !== undefined && 'M' in value ? value.M : undefined
}
