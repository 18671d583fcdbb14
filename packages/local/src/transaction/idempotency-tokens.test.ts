import type { Item } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import type { KeyspaceView } from '../storage/keyspace-view.js'
import { DamagedStorage } from '../storage/lmdb/damaged-storage.fixture.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import type { OrderedMap } from '../storage/ordered-map.js'
import { IdempotencyTokens, TOKEN_MILLISECONDS, type TransactionToken } from './idempotency-tokens.js'

const token = (text: string, region = 'eu-west-1'): TransactionToken => ({ region, text })

const NAMES = ['transaction-tokens', 'transaction-token-expiries']

/** Ranges show what was durable at the last `settle`. */
class LateStorage extends MemoryStorage {
  readonly #durable = new Map<string, KeyspaceView>()

  settle(): void {
    for (const name of NAMES) this.#durable.set(name, this.view(name))
  }

  override open(name: string): OrderedMap {
    const map = super.open(name)
    return {
      size: map.size,
      bytes: map.bytes,
      get: (key) => map.get(key),
      latest: (key) => map.latest(key),
      range: (range) => this.#durable.get(name)?.range(range) ?? [],
    }
  }
}

class Store {
  readonly storage = new MemoryStorage()
  readonly tokens: IdempotencyTokens

  constructor(maxTokens?: number) {
    this.tokens = new IdempotencyTokens(this.storage, maxTokens)
  }

  use(text: string, fingerprint: string, now: number): void {
    this.storage.write(this.tokens.changesFor(token(text), fingerprint, now))
  }

  get sizes(): readonly number[] {
    return NAMES.map((name) => this.storage.open(name).size)
  }
}

describe('tokens of transactions', () => {
  it('can be used while old ones are damaged, which then stay', () => {
    const storage = new DamagedStorage()
    const tokens = new IdempotencyTokens(storage)
    const use = (text: string, now: number) => storage.write(tokens.changesFor(token(text), 'request', now))
    for (const text of ['a', 'b', 'c']) use(text, 0)
    storage.intact = 0
    for (const text of ['d', 'e']) use(text, 2 * TOKEN_MILLISECONDS)
    expect(tokens.find(token('e'), 2 * TOKEN_MILLISECONDS)).toBe('request')
    expect(storage.open('transaction-tokens').size).toBe(5)
  })

  it('are found for ten minutes, in their region', () => {
    const store = new Store()
    store.use('a', 'one', 1_000)
    expect(store.tokens.find(token('a'), 1_000)).toBe('one')
    expect(store.tokens.find(token('a'), 1_000 + TOKEN_MILLISECONDS - 1)).toBe('one')
    expect(store.tokens.find(token('a'), 1_000 + TOKEN_MILLISECONDS)).toBeUndefined()
    expect(store.tokens.find(token('a', 'eu-west-2'), 1_000)).toBeUndefined()
    expect(store.tokens.find(token('b'), 1_000)).toBeUndefined()
  })

  it('of a process whose clock was days ahead are found for ten minutes after the next start', () => {
    const store = new Store()
    const ahead = 60 * 3_600_000
    store.use('a', 'one', ahead)
    const later = new IdempotencyTokens(store.storage)
    expect(later.find(token('a'), 1_000)).toBe('one')
    expect(later.find(token('a'), 1_000 + TOKEN_MILLISECONDS - 1)).toBe('one')
    expect(later.find(token('a'), 1_000 + TOKEN_MILLISECONDS)).toBeUndefined()
  })

  it('can be reused when they have expired', () => {
    const store = new Store()
    store.use('a', 'one', 0)
    store.use('a', 'two', TOKEN_MILLISECONDS + 5)
    expect(store.tokens.find(token('a'), TOKEN_MILLISECONDS + 6)).toBe('two')
    expect(store.tokens.find(token('a'), 2 * TOKEN_MILLISECONDS + 4)).toBe('two')
    expect(store.sizes).toEqual([1, 1])
  })

  it('write themselves and their expiry, and nothing else', () => {
    const changes = new Store().tokens.changesFor(token('a'), 'f', 0)
    expect(changes.map(({ keyspace }) => keyspace)).toEqual(NAMES)
  })

  it('are swept from the moment when they expire', () => {
    const store = new Store()
    store.use('a', 'f', 0)
    store.use('b', 'f', 5)
    store.use('c', 'f', TOKEN_MILLISECONDS - 1)
    expect(store.sizes).toEqual([3, 3])
    store.use('d', 'f', TOKEN_MILLISECONDS)
    expect(store.sizes).toEqual([3, 3])
  })

  it('are swept after they expire, faster than new ones arrive', () => {
    const store = new Store()
    for (let at = 0; at < 100; at++) store.use(`old ${at}`, 'f', at)
    expect(store.sizes).toEqual([100, 100])
    store.use('new 0', 'f', 2 * TOKEN_MILLISECONDS)
    expect(store.sizes).toEqual([97, 97])
    for (let at = 1; at < 40; at++) store.use(`new ${at}`, 'f', 2 * TOKEN_MILLISECONDS + at)
    expect(store.sizes).toEqual([40, 40])
    expect(store.tokens.find(token('new 0'), 2 * TOKEN_MILLISECONDS)).toBe('f')
  })

  it('never exceed the limit: the oldest are removed first', () => {
    const store = new Store(10)
    for (let at = 0; at < 9; at++) store.use(`${at}`, 'f', at)
    const afterRestart = new IdempotencyTokens(store.storage, 10)
    store.storage.write(afterRestart.changesFor(token('9'), 'f', 9))
    expect(store.tokens.find(token('0'), 30)).toBe('f')
    for (let at = 10; at < 30; at++) store.use(`${at}`, 'f', at)
    expect(store.sizes).toEqual([10, 10])
    expect(store.tokens.find(token('19'), 30)).toBeUndefined()
    expect(store.tokens.find(token('20'), 30)).toBe('f')
  })

  it('are not removed because of an earlier use whose removal is not durable yet', () => {
    const storage = new LateStorage()
    const tokens = new IdempotencyTokens(storage, 2)
    const use = (text: string, now: number) => storage.write(tokens.changesFor(token(text), text, now))
    use('a', 0)
    use('b', 1)
    storage.settle()
    const later = TOKEN_MILLISECONDS + 5
    for (const [at, text] of ['a', 'c', 'd'].entries()) use(text, later + at)
    expect(['a', 'b', 'c', 'd'].map((text) => tokens.find(token(text), later + 5))).toEqual([
      'a',
      undefined,
      'c',
      'd',
    ])
  })

  it('that a store has damaged are not used', () => {
    const storage = new MemoryStorage()
    const tokens = new IdempotencyTokens(storage)
    const [own] = tokens.changesFor(token('a'), 'f', 0)
    const damaged = (item: Item) => {
      if (own !== undefined) storage.write([{ ...own, after: { item, bytes: 0 } }])
      return () => tokens.find(token('a'), 0)
    }
    expect(damaged({ fingerprint: { S: 'f' } })).toThrow('no expiry')
    expect(damaged({ expiresAt: { S: '1' } })).toThrow('no expiry')
    expect(damaged({ expiresAt: { N: '1' } })).toThrow('no fingerprint')
    expect(damaged({ expiresAt: { N: '1' }, fingerprint: { N: '1' } })).toThrow('no fingerprint')
  })

  it('survive with the store that holds them', () => {
    const store = new Store()
    store.use('a', 'one', 0)
    expect(new IdempotencyTokens(store.storage).find(token('a'), 1)).toBe('one')
  })
})
