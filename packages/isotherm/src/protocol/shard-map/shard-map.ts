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
  /** When the request that brought it was sent: what it says was true at that time or later. */
  readonly askedAt: number
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
    if (entry?.state !== undefined) return this.#view(entry)
    return this.#created(key, text).then((known) => this.#view(known))
  }

  forRead(
    key: LogicalKey,
    { consistent, atLeast = 1 }: { readonly consistent: boolean; readonly atLeast?: number },
  ): ShardView | Promise<ShardView> {
    // mark: consistent-query-asks-the-shard-map
    if (consistent) return this.#readAgain(key).then((entry) => this.#view(entry))
    const text = keyText(key)
    // mark: cached-view-has-a-lifetime
    const entry = this.#usable(key, text)
    if (entry === undefined) return this.#read(key, text).then((read) => this.#atLeast(key, read, atLeast))
    return this.#atLeast(key, entry, atLeast)
  }

  /** The state as cached, for a decision that is checked again before it is carried out. */
  peek(key: LogicalKey): ShardState | undefined {
    return this.#entries.peek(keyText(key))?.state
  }

  /** The state as it is now. Not shared with a read that began before: that one may be older. */
  async reread(key: LogicalKey): Promise<ShardState | undefined> {
    return (await this.#readAgain(key)).state
  }

  /** The state as it is now, of a key that is added to the shard map if it is not there. */
  async ensure(key: LogicalKey): Promise<ShardState> {
    return (await this.reread(key)) ?? stateOf(await this.#created(key, keyText(key)))
  }

  /** @returns the new state, or `undefined` when another process was first; either way this process then knows it. */
  async replace<Next extends ShardState>(
    key: LogicalKey,
    seen: ShardState,
    next: Next,
  ): Promise<Next | undefined> {
    const askedAt = this.#options.clock.now()
    const replaced = await this.#options.store.replace(key, seen, next)
    if (!replaced) {
      await this.#readAgain(key)
      return undefined
    }
    this.#learn(key, { state: next, askedAt })
    return next
  }

  #view({ state, askedAt }: Entry): ShardView {
    const { initial, cacheMilliseconds } = this.#options
    return viewOf(state ?? firstState(initial, 0), askedAt + cacheMilliseconds)
  }

  #atLeast(key: LogicalKey, entry: Entry, atLeast: number): ShardView | Promise<ShardView> {
    const view = this.#view(entry)
    if (view.readable >= atLeast) return view
    return this.#readAgain(key).then((fresh) => this.#view(fresh))
  }

  /** The cached entry while it may be used; in the second half of its life it is fetched anew in the background. */
  #usable(key: LogicalKey, text: string): Entry | undefined {
    const entry = this.#entries.get(text)
    if (entry === undefined) return undefined
    if (entry.state === undefined && !this.#options.remembersMissing) return undefined
    if (!this.#isAlive(entry)) return undefined
    const age = this.#options.clock.now() - entry.askedAt
    if (age >= this.#options.cacheMilliseconds * REFRESH_AFTER && !this.#reads.has(text)) {
      this.#read(key, text).catch(this.#options.onRefreshFailed)
    }
    return entry
  }

  #isAlive({ askedAt }: Entry): boolean {
    return this.#options.clock.now() - askedAt < this.#options.cacheMilliseconds
  }

  async #readAgain(key: LogicalKey): Promise<Entry> {
    const askedAt = this.#options.clock.now()
    const state = await this.#options.store.read(key)
    const known = this.#entries.peek(keyText(key))
    const entry = this.#learn(key, { state, askedAt })
    if (state !== undefined) {
      this.#options.onRead(key, state, known && this.#isAlive(known) ? known.state : undefined)
    }
    return entry
  }

  #read(key: LogicalKey, text: string): Promise<Entry> {
    return inOneFlight(this.#reads, text, async () => {
      const shared = await this.#options.shared?.find(key)
      if (shared === undefined) return this.#readAgain(key)
      // Each process votes for what it uses, whoever has asked the table.
      this.#options.onRead(key, shared.state)
      return this.#keep(text, shared)
    })
  }

  #created(key: LogicalKey, text: string): Promise<Entry> {
    return inOneFlight(this.#creations, text, async () => {
      const read = await this.#read(key, text)
      if (read.state !== undefined) return read
      const askedAt = this.#options.clock.now()
      const state = await this.#options.store.create(key, this.#options.initial)
      return this.#learn(key, { state, askedAt })
    })
  }

  /** Keeps what the table said, for other processes too. */
  #learn(key: LogicalKey, entry: Entry): Entry {
    const kept = this.#keep(keyText(key), entry)
    if (kept.state !== undefined) this.#options.shared?.share(key, { ...kept, state: kept.state })
    return kept
  }

  /** @returns what is known now: answers may overtake each other, and then the later state counts. */
  #keep(text: string, entry: Entry): Entry {
    const known = this.#entries.peek(text)
    const knownAt = known?.state?.lastUpdated
    const at = entry.state?.lastUpdated
    // What is past its lifetime cannot have been overtaken: then somebody took the shard map back by hand.
    if (known !== undefined && (at ?? -1) < (knownAt ?? -1) && this.#isAlive(known)) return known
    const askedAt = Math.max(entry.askedAt, at === knownAt ? (known?.askedAt ?? 0) : 0)
    const kept = { state: entry.state, askedAt }
    this.#entries.set(text, kept)
    return kept
  }
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
