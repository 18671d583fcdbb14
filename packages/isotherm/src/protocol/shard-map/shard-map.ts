import type { Clock } from '@isotherm/runtime'
import { RecentlyUsedMap } from '../../bounded/recently-used-map.js'
import { keyText, type LogicalKey } from '../../keys/key.js'
import { firstState, type ShardState } from '../states/shard-state.js'
import { type ShardView, viewOf } from '../states/shard-view.js'
import type { ShardViews } from '../states/shard-views.js'
import type { ShardMapStore } from './shard-map-store.js'

/** Keys remembered by a process; about 2 MB. A key that falls out costs one read when it comes back. */
const MAX_CACHED_KEYS = 10_000

/** From this share of its lifetime on, an entry that is used is fetched anew in the background, so that nobody waits. */
const REFRESH_AFTER = 0.5

interface Entry {
  /** `undefined` where the shard map has no item of the key. */
  readonly state: ShardState | undefined
  /** How requests use it. It ends a lifetime after the read was sent: what the shard map said was true at that time or later. */
  readonly view: ShardView
}

/** A state of the shard map, and when somebody asked the table. */
export interface SharedState {
  readonly state: ShardState
  /** Milliseconds since the Unix epoch, before the table answered. */
  readonly askedAt: number
}

/** What the processes of a fleet have read of the shard map, where they share it. */
export interface SharedReads {
  /** @returns what another process has read lately, in this process's time; `undefined` where there is no such thing */
  find(key: LogicalKey): Promise<SharedState | undefined>
  /** Not waited for: the request at hand has what it needs. */
  share(key: LogicalKey, state: SharedState): void
}

export interface ShardMapOptions {
  readonly store: Pick<ShardMapStore, 'read' | 'create' | 'replace'>
  readonly clock: Clock
  readonly initial: number
  readonly cacheMilliseconds: number
  /** Whether "there is no such key" may be remembered. Not where an item has one place, which its writer chooses. */
  readonly remembersMissing: boolean
  /** What other processes have read lately. */
  readonly shared?: SharedReads | undefined
  /**
   * Called for each read of the shard map, this process's or one that is shared, with what it has found. `inUse` is the state that
   * requests of this process were still sent by.
   */
  readonly onRead: (key: LogicalKey, state: ShardState, inUse?: ShardState) => void
  /** Hears of a refresh in the background that did not succeed. */
  readonly onRefreshFailed: (error: unknown) => void
}

/**
 * The shard map as a process sees it: cached, one request at a time for a key, never going back to an older count, and
 * never older than its lifetime. Others rely on the last: a change waits until every process must know it.
 */
export class ShardMap implements ShardViews {
  readonly #options: ShardMapOptions
  readonly #entries = new RecentlyUsedMap<string, Entry>(MAX_CACHED_KEYS)
  readonly #reads = new Map<string, Promise<Entry>>()
  readonly #creations = new Map<string, Promise<Entry>>()

  constructor(options: ShardMapOptions) {
    this.#options = options
  }

  known(key: LogicalKey): number | undefined {
    return this.peek(key)?.shards
  }

  forWrite(key: LogicalKey): ShardView | Promise<ShardView> {
    const text = keyText(key)
    const entry = this.#usable(key, text)
    return entry?.state === undefined ? this.#created(key, text).then(viewIn) : entry.view
  }

  forRead(
    key: LogicalKey,
    { consistent, atLeast = 1 }: { readonly consistent: boolean; readonly atLeast?: number },
  ): ShardView | Promise<ShardView> {
    // mark: consistent-query-asks-the-shard-map
    if (consistent) return this.#readAgain(key).then(viewIn)
    const text = keyText(key)
    const found = ({ view }: Entry) => (view.readable >= atLeast ? view : this.#readAgain(key).then(viewIn))
    // mark: cached-view-has-a-lifetime
    const entry = this.#usable(key, text)
    return entry === undefined ? this.#read(key, text).then(found) : found(entry)
  }

  /** The cached state, for a decision that is checked again before it is carried out. */
  peek(key: LogicalKey): ShardState | undefined {
    return this.#entries.peek(keyText(key))?.state
  }

  /** The state as it is now. Does not join a read that is under way: that one may be older. */
  async reread(key: LogicalKey): Promise<ShardState | undefined> {
    return (await this.#readAgain(key)).state
  }

  /** The state as it is now. A key without an item in the shard map is added to it. */
  async ensure(key: LogicalKey): Promise<ShardState> {
    return (await this.reread(key)) ?? stateOf(await this.#created(key, keyText(key)))
  }

  /** @returns the new state, or `undefined` when another process was first; either way this process then knows it. */
  async replace<Next extends ShardState>(
    key: LogicalKey,
    seen: ShardState,
    next: Next,
  ): Promise<Next | undefined> {
    const { clock, store } = this.#options
    const askedAt = clock.now()
    if (await store.replace(key, seen, next)) {
      this.#learn(key, next, askedAt)
      return next
    }
    await this.#readAgain(key)
    return undefined
  }

  /** The cached entry while it may be used; in the second half of its life it is fetched again in the background. */
  #usable(key: LogicalKey, text: string): Entry | undefined {
    const { remembersMissing, cacheMilliseconds, onRefreshFailed } = this.#options
    const entry = this.#entries.get(text)
    if (entry === undefined || (entry.state === undefined && !remembersMissing)) return undefined
    const left = this.#millisecondsLeft(entry)
    if (left <= 0) return undefined
    if (left <= cacheMilliseconds * (1 - REFRESH_AFTER) && !this.#reads.has(text)) {
      this.#read(key, text).catch(onRefreshFailed)
    }
    return entry
  }

  #millisecondsLeft({ view }: Entry): number {
    return view.validUntil - this.#options.clock.now()
  }

  async #readAgain(key: LogicalKey): Promise<Entry> {
    const { clock, store, onRead } = this.#options
    const askedAt = clock.now()
    const state = await store.read(key)
    const known = this.#entries.peek(keyText(key))
    const entry = this.#learn(key, state, askedAt)
    if (state !== undefined)
      onRead(key, state, known && this.#millisecondsLeft(known) > 0 ? known.state : undefined)
    return entry
  }

  #read(key: LogicalKey, text: string): Promise<Entry> {
    return inOneFlight(this.#reads, text, async () => {
      const shared = await this.#options.shared?.find(key)
      if (shared === undefined) return this.#readAgain(key)
      const { state, askedAt } = shared
      // Each process votes for what it uses, whichever process has asked the table.
      this.#options.onRead(key, state)
      return this.#keep(text, state, askedAt)
    })
  }

  #created(key: LogicalKey, text: string): Promise<Entry> {
    return inOneFlight(this.#creations, text, async () => {
      const read = await this.#read(key, text)
      if (read.state !== undefined) return read
      const { clock, store, initial } = this.#options
      const askedAt = clock.now()
      return this.#learn(key, await store.create(key, initial), askedAt)
    })
  }

  /** Keeps what the table said, for other processes too. */
  #learn(key: LogicalKey, state: ShardState | undefined, askedAt: number): Entry {
    const { shared, cacheMilliseconds } = this.#options
    const kept = this.#keep(keyText(key), state, askedAt)
    if (kept.state !== undefined) {
      shared?.share(key, { state: kept.state, askedAt: kept.view.validUntil - cacheMilliseconds })
    }
    return kept
  }

  /** @returns what is known now: answers may overtake each other, and then the later state counts. */
  #keep(text: string, state: ShardState | undefined, askedAt: number): Entry {
    const { initial, cacheMilliseconds } = this.#options
    const known = this.#entries.peek(text)
    const age = (state?.lastUpdated ?? -1) - (known?.state?.lastUpdated ?? -1)
    // An entry that has ended cannot have been overtaken: then somebody took the shard map back by hand.
    if (known !== undefined && age < 0 && this.#millisecondsLeft(known) > 0) return known
    const validUntil = Math.max(askedAt + cacheMilliseconds, age === 0 ? (known?.view.validUntil ?? 0) : 0)
    const kept = { state, view: viewOf(state ?? firstState(initial, 0), validUntil) }
    this.#entries.set(text, kept)
    return kept
  }
}

function viewIn({ view }: Entry): ShardView {
  return view
}

function stateOf({ state }: Entry): ShardState {
  if (state === undefined) throw new Error('A key that was just added to the shard map has no state.')
  return state
}

function inOneFlight<T>(flights: Map<string, Promise<T>>, name: string, start: () => Promise<T>): Promise<T> {
  const under = flights.get(name)
  if (under !== undefined) return under
  const flight = start().finally(() => flights.delete(name))
  flights.set(name, flight)
  return flight
}
