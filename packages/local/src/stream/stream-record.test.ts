import type { Item } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import { decodeRecord, encodeRecord, type ItemChange, type StreamViewType } from './stream-record.js'

const stored = (item: Item, bytes: number) => ({ item, bytes })
const OLD = stored({ pk: { S: 'k' }, sk: { N: '1' }, n: { N: '1' } }, 20)
const NEW = stored({ pk: { S: 'k' }, sk: { N: '1' }, n: { N: '2' } }, 30)
const KEYS: Item = { pk: { S: 'k' }, sk: { N: '1' } }
/** Names and values of the keys. */
const KEY_BYTES = 7

function recordOf(change: ItemChange, viewType: StreamViewType = 'NEW_AND_OLD_IMAGES', now = 1_000.7) {
  return decodeRecord('7', encodeRecord(change, ['pk', 'sk'], viewType, now))
}

describe('a record of a stream', () => {
  it.each([
    ['INSERT', { before: undefined, after: NEW }],
    ['MODIFY', { before: OLD, after: NEW }],
    ['REMOVE', { before: OLD, after: undefined }],
  ])('says what happened to an item: %s', (eventName, change) => {
    expect(recordOf(change)).toMatchObject({ eventName, keys: KEYS, sequenceNumber: '7', createdAt: 1_000 })
  })

  it.each([
    ['KEYS_ONLY', undefined, undefined, KEY_BYTES],
    ['NEW_IMAGE', NEW.item, undefined, KEY_BYTES + 30],
    ['OLD_IMAGE', undefined, OLD.item, KEY_BYTES + 20],
    ['NEW_AND_OLD_IMAGES', NEW.item, OLD.item, KEY_BYTES + 50],
  ] as const)(
    'of the view %s has the images that it names, and their size',
    (viewType, newImage, oldImage, sizeBytes) => {
      expect(recordOf({ before: OLD, after: NEW }, viewType)).toMatchObject({ newImage, oldImage, sizeBytes })
    },
  )

  it('says whether the service itself removed the item', () => {
    expect(recordOf({ before: OLD, after: undefined, byService: true }).byService).toBe(true)
    expect(recordOf({ before: OLD, after: undefined }).byService).toBe(false)
  })

  it('that a store has damaged is not read', () => {
    const { item } = encodeRecord({ before: OLD, after: NEW }, ['pk'], 'KEYS_ONLY', 0)
    for (const name of ['eventName', 'createdAt']) {
      const damaged = { ...item, [name]: { BOOL: true } } as Item
      expect(() => decodeRecord('7', { item: damaged, bytes: 0 })).toThrow(`has no ${name}`)
      const { [name]: _, ...without } = item
      expect(() => decodeRecord('7', { item: without, bytes: 0 })).toThrow(`has no ${name}`)
    }
  })
})
