import type { Clock } from '@isotherm/runtime'
import { LRUCache } from 'lru-cache'
import { keyText, type LogicalKey } from '../keys/key.js'
import type { ShardCounts } from './shard-counts.js'
import type { ShardMapStore } from './shard-map-store.js'
import { readableShards, type ShardState } from './shard-state.js'

/** Keys remembered by a process; about 2 MB. A key that falls out costs one read when it comes back. */
const MAX_CACHED_KEYS = 10_000

/**
 * Past its lifetime a count is still used while it is fetched anew, but only for one lifetime more: a query after an
 * hour of silence must not miss the shards of that hour.
 */
const USABLE_LIFETIMES = 2

interface Entry {
  /** `undefined` where the shard map has no item of the key. */
  readonly state: ShardState | undefined
  readonly fetchedAt: number
}

export interface ShardMapOptions {
  readonly store: ShardMapStore
  readonly clock: Clock
  readonly initial: number
  readonly cacheMilliseconds: number
  /** Hears of a refresh in the background that did not succeed. */
  readonly onRefreshFailed: (error: unknown) => void
}

/** The shard map as a process sees it: cached, one request at a time for a key, never going back to an older count. */
export class ShardMap implements ShardCounts {
  readonly #options: ShardMapOptions
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_CACHED_KEYS })
  readonly #reads = new Map<string, Promise<ShardState | undefined>>()
  readonly #creations = new Map<string, Promise<ShardState>>()

  constructor(options: ShardMapOptions) {
    this.#options = options
  }

  known(key: LogicalKey): number | undefined {
    return this.peek(key)?.shards
  }

  forWrite(key: LogicalKey): number | Promise<number> {
    const text = keyText(key)
    const state = this.#usable(key, text)?.state
    return state?.shards ?? this.#known(key, text).then(({ shards }) => shards)
  }

  forRead(
    key: LogicalKey,
    { consistent, atLeast }: { readonly consistent: boolean; readonly atLeast: number },
  ): number | Promise<number> {
    if (consistent) return this.reread(key).then((state) => this.#readable(state))
    const text = keyText(key)
    const entry = this.#usable(key, text)
    if (entry === undefined) return this.#read(key, text).then((state) => this.#atLeast(key, state, atLeast))
    return this.#atLeast(key, entry.state, atLeast)
  }

  /** The state as cached, for a decision that is checked again before it is carried out. */
  peek(key: LogicalKey): ShardState | undefined {
    return this.#entries.peek(keyText(key))?.state
  }

  /** The state as it is now, read consistently. Not shared with a read that began before: that one may be older. */
  async reread(key: LogicalKey): Promise<ShardState | undefined> {
    const state = await this.#options.store.read(key, true)
    this.#keep(keyText(key), state)
    return state
  }

  /** @returns the new state, or `undefined` when another process was first; either way this process then knows it. */
  async change(key: LogicalKey, from: ShardState, shards: number): Promise<ShardState | undefined> {
    const changed = await this.#options.store.change(key, from, shards)
    if (changed === undefined) await this.reread(key)
    else this.#keep(keyText(key), changed)
    return changed
  }

  #readable(state: ShardState | undefined): number {
    return state === undefined ? this.#options.initial : readableShards(state)
  }

  #atLeast(key: LogicalKey, state: ShardState | undefined, atLeast: number): number | Promise<number> {
    const shards = this.#readable(state)
    if (shards >= atLeast) return shards
    return this.reread(key).then((fresh) => this.#readable(fresh))
  }

  /** The cached entry while it may be used; past its lifetime it is used once more and fetched in the background. */
  #usable(key: LogicalKey, text: string): Entry | undefined {
    const entry = this.#entries.get(text)
    if (entry === undefined) return undefined
    const age = this.#options.clock.now() - entry.fetchedAt
    if (age < this.#options.cacheMilliseconds) return entry
    if (age >= this.#options.cacheMilliseconds * USABLE_LIFETIMES) return undefined
    if (!this.#reads.has(text)) this.#read(key, text).catch(this.#options.onRefreshFailed)
    return entry
  }

  /** The state of a key, which is added to the shard map if it is not there. */
  async #known(key: LogicalKey, text: string): Promise<ShardState> {
    return (await this.#read(key, text)) ?? this.#create(key, text)
  }

  #read(key: LogicalKey, text: string): Promise<ShardState | undefined> {
    return inOneFlight(this.#reads, text, async () => {
      const state = await this.#options.store.read(key, false)
      const known = this.#entries.peek(text)?.state
      // An eventually consistent read may be older than what this process knows already.
      const newest = known !== undefined && (state?.lastUpdated ?? 0) < known.lastUpdated ? known : state
      this.#keep(text, newest)
      return newest
    })
  }

  #create(key: LogicalKey, text: string): Promise<ShardState> {
    return inOneFlight(this.#creations, text, async () => {
      const state = await this.#options.store.create(key, this.#options.initial)
      this.#keep(text, state)
      return state
    })
  }

  #keep(text: string, state: ShardState | undefined): void {
    this.#entries.set(text, { state, fetchedAt: this.#options.clock.now() })
  }
}

function inOneFlight<T>(flights: Map<string, Promise<T>>, name: string, start: () => Promise<T>): Promise<T> {
  const under = flights.get(name)
  if (under !== undefined) return under
  const flight = start().finally(() => flights.delete(name))
  flights.set(name, flight)
  return flight
}
