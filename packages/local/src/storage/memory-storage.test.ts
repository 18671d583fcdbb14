import { expect, it } from 'vitest'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { MemoryStorage } from './memory-storage.js'
import { describeStorage } from './storage.behaviour.js'

describeStorage('the store in memory', () => new MemoryStorage())

it('restores a snapshot, more than once', () => {
  let storage = new MemoryStorage()
  const key = 'k' as EncodedKey
  const [one, two] = ['1', '22'].map((text) => ({ item: { pk: { S: text } }, bytes: text.length }))
  storage.write([{ keyspace: 't', key, before: undefined, after: one }], [{ name: 'r', value: 1 }])
  const snapshot = storage.snapshot()
  for (let round = 0; round < 2; round++) {
    storage.write([{ keyspace: 't', key, before: one, after: two }], [{ name: 'r', value: 2 }])
    expect(storage.open('t').get(key)).toBe(two)
    storage = storage.restored(snapshot)
    expect(storage.open('t').get(key)).toBe(one)
    expect(storage.open('t').bytes).toBe(1)
    expect([...storage.records()]).toEqual([['r', 1]])
  }
})

it('does not let a write to the previous store reach the restored one', () => {
  const before = new MemoryStorage()
  const key = 'k' as EncodedKey
  const after = before.restored(before.snapshot())
  before.write([{ keyspace: 't', key, before: undefined, after: { item: { pk: { S: '1' } }, bytes: 1 } }])
  expect(after.open('t').get(key)).toBeUndefined()
})

it('restores nothing else than a snapshot', () => {
  expect(() => new MemoryStorage().restored({ copy: () => ({}) } as never)).toThrow(
    expect.objectContaining({ code: 'snapshot.foreign', message: expect.stringContaining('no snapshot') }),
  )
})

it('keeps nothing in memory once it is closed', () => {
  const storage = new MemoryStorage()
  const after = { item: { pk: { S: '1' } }, bytes: 1 }
  storage.write(
    [{ keyspace: 't', key: 'k' as EncodedKey, before: undefined, after }],
    [{ name: 'r', value: 1 }],
  )
  storage.close()
  expect([storage.open('t').size, ...storage.records()]).toEqual([0])
})
