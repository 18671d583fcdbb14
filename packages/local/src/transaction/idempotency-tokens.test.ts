import { describe, expect, it } from 'vitest'
import { MemoryStorage } from '../storage/memory-storage.js'
import { IdempotencyTokens, TOKEN_MILLISECONDS, type TransactionToken } from './idempotency-tokens.js'

const token = (text: string, region = 'eu-west-1'): TransactionToken => ({ region, text })

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
    return ['transaction-tokens', 'transaction-token-expiries'].map((name) => this.storage.open(name).size)
  }
}

describe('tokens of transactions', () => {
  it('are found for ten minutes, in their region', () => {
    const store = new Store()
    store.use('a', 'one', 1_000)
    expect(store.tokens.find(token('a'), 1_000)).toBe('one')
    expect(store.tokens.find(token('a'), 1_000 + TOKEN_MILLISECONDS - 1)).toBe('one')
    expect(store.tokens.find(token('a'), 1_000 + TOKEN_MILLISECONDS)).toBeUndefined()
    expect(store.tokens.find(token('a', 'eu-west-2'), 1_000)).toBeUndefined()
    expect(store.tokens.find(token('b'), 1_000)).toBeUndefined()
  })

  it('can be reused when they have expired', () => {
    const store = new Store()
    store.use('a', 'one', 0)
    store.use('a', 'two', TOKEN_MILLISECONDS + 5)
    expect(store.tokens.find(token('a'), TOKEN_MILLISECONDS + 6)).toBe('two')
    expect(store.tokens.find(token('a'), 2 * TOKEN_MILLISECONDS + 4)).toBe('two')
    expect(store.sizes).toEqual([1, 1])
  })

  it('are swept after they expire, faster than new ones arrive', () => {
    const store = new Store()
    for (let at = 0; at < 100; at++) store.use(`old ${at}`, 'f', at)
    expect(store.sizes).toEqual([100, 100])
    for (let at = 0; at < 40; at++) store.use(`new ${at}`, 'f', 2 * TOKEN_MILLISECONDS + at)
    expect(store.sizes).toEqual([40, 40])
    expect(store.tokens.find(token('new 0'), 2 * TOKEN_MILLISECONDS)).toBe('f')
  })

  it('never exceed the limit: the oldest are removed first', () => {
    const store = new Store(10)
    for (let at = 0; at < 30; at++) store.use(`${at}`, 'f', at)
    expect(store.sizes).toEqual([10, 10])
    expect(store.tokens.find(token('19'), 30)).toBeUndefined()
    expect(store.tokens.find(token('20'), 30)).toBe('f')
  })

  it('survive with the store that holds them', () => {
    const store = new Store()
    store.use('a', 'one', 0)
    expect(new IdempotencyTokens(store.storage).find(token('a'), 1)).toBe('one')
  })
})
