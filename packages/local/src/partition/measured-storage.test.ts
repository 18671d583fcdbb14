import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import type { Storage } from '../storage/storage.js'
import { DEFAULT_CAPACITY } from './capacity-parameters.js'
import { MeasuredStorage } from './measured-storage.js'
import { PartitionMap } from './partition-map.js'

const KEY = 'k' as EncodedKey
const stored = (bytes: number) => ({ item: {}, bytes })
const put = (keyspace: string, bytes: number, before?: number) => ({
  keyspace,
  key: KEY,
  before: before === undefined ? undefined : stored(before),
  after: stored(bytes),
})

/** A store whose drops end later, and which may fail. */
class LateStorage extends MemoryStorage {
  override failures = 0
  end: () => void = () => {}
  fail: (error: Error) => void = () => {}
  readonly dropped = new Promise<void>((resolve, reject) => {
    this.end = resolve
    this.fail = reject
  })

  override settled(): never {
    return this.dropped as never
  }

  override drop(keyspaces: readonly string[]): never {
    super.drop(keyspaces)
    return this.dropped as never
  }
}

function setUp(store: Storage = new MemoryStorage()) {
  const storage = new MeasuredStorage(store, new VirtualClock(0))
  const partitions = new PartitionMap(1, DEFAULT_CAPACITY, 0)
  storage.measure(['items', 'entries'], partitions, 1_000)
  return { storage, partitions, bytes: () => partitions.all[0]?.bytes }
}

describe('a store that is measured', () => {
  it('counts what each write adds, to the items and to the entries of local indexes', () => {
    const { storage, bytes } = setUp()
    void storage.write([put('items', 30), put('entries', 5), put('other', 100)])
    expect(bytes()).toBe(35)
    void storage.write([put('items', 20, 30)])
    expect(bytes()).toBe(25)
    void storage.write([{ keyspace: 'items', key: KEY, before: stored(20), after: undefined }])
    expect(bytes()).toBe(5)
    expect(storage.open('items').size).toBe(0)
  })

  it('knows no sizes after a write has failed, which was counted before', () => {
    const store = new LateStorage()
    const { storage, bytes } = setUp(store)
    void storage.write([put('items', 30)])
    store.failures = 1
    expect(storage.failures).toBe(1)
    void storage.write([put('entries', 5)])
    expect(bytes()).toBeUndefined()
  })

  it('is settled when the store below it is', () => {
    const store = new LateStorage()
    expect(setUp(store).storage.settled()).toBe(store.dropped)
  })

  it('does not count a keyspace any more once it was dropped', () => {
    const { storage, bytes } = setUp()
    void storage.write([put('items', 30)])
    expect(storage.drop(['items'])).toBeUndefined()
    void storage.write([put('items', 7)])
    expect(bytes()).toBe(30)
  })

  it('still counts a keyspace whose drop has failed', async () => {
    const store = new LateStorage()
    const { storage, bytes } = setUp(store)
    const dropping = storage.drop(['items'])
    store.fail(new Error('the disk is full'))
    await expect(dropping).rejects.toThrow('the disk is full')
    void storage.write([put('items', 7)])
    expect(bytes()).toBe(7)
  })

  it('counts one of the same name that was created while the first one was dropped', async () => {
    const store = new LateStorage()
    const { storage } = setUp(store)
    const dropping = storage.drop(['items'])
    const partitions = new PartitionMap(1, DEFAULT_CAPACITY, 0)
    storage.measure(['items'], partitions, 1_000)
    store.end()
    await dropping
    void storage.write([put('items', 7)])
    expect(partitions.all[0]?.bytes).toBe(7)
  })

  it('has the records, the views and the snapshots of the store below it', async () => {
    const { storage } = setUp()
    void storage.write([put('items', 30)], [{ name: 'table', value: 7 }])
    expect(storage.view('items').bytes).toBe(30)
    expect([...storage.records()]).toEqual([['table', 7]])
    const snapshot = storage.snapshot([{ name: 'table', value: 8 }])
    expect([...storage.restored(snapshot).records()]).toEqual([['table', 8]])
    expect([...((await storage.emptied()) as Storage).records()]).toEqual([])
    expect(storage.settled()).toBeUndefined()
    await storage.close()
    expect([...storage.records()]).toEqual([])
  })
})
