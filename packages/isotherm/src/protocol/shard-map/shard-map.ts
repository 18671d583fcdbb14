import type { Clock } from '@isotherm/runtime'
import { RecentlyUsedMap } from '../../bounded/recently-used-map.js'
import { keyText, type LogicalKey } from '../../keys/key.js'
import type { Growth, HeatTotals } from '../states/fleet-signs.js'
import { countChangedAt } from '../states/pace.js'
import { firstState, type ShardState } from '../states/shard-state.js'
import { type ShardView, viewOf } from '../states/shard-view.js'
import type { ShardViews } from '../states/shard-views.js'
import type { ShardMapStore } from './shard-map-store.js'

/** Keys that a process caches, about 2 MB. An evicted key costs one read when it is used again. */
const MAX_CACHED_KEYS = 10_000

/** After this share of its lifetime, an entry in use is refreshed in the background, so that no request waits for it. */
const REFRESH_AFTER = 0.5

/** How often a process reads a key whose next phase is due. */
const DUE_MILLISECONDS = 1_000

interface Entry {
  /** `undefined` if the shard map has no item for the key. */
  readonly state: ShardState | undefined
  /** The view for requests. It expires one lifetime after the read was sent: the state was current at that time or later. */
  readonly view: ShardView
  /** Since when this process has known the count. */
  readonly countSince: number
}

/** A state of the shard map, and when a process sent the read for it. */
export interface SharedState {
  readonly state: ShardState
  /** Milliseconds since the Unix epoch, taken before the table responded. */
  readonly askedAt: number
}

/** The reads of the shard map that the processes of a fleet share. */
export interface SharedReads {
  /** @returns a recent read of another process, with its time on this process's clock; `undefined` if there is none */
  find(key: LogicalKey): Promise<SharedState | undefined>
  /** Does not wait: the current request already has its state. */
  share(key: LogicalKey, state: SharedState): void
}

export interface ShardMapOptions {
  readonly store: Pick<ShardMapStore, 'read' | 'create' | 'replace' | 'report'>
  readonly clock: Clock
  readonly initial: number
  readonly cacheMilliseconds: number
  /**
   * Whether the next phase of a key may have begun, by the clock of this process. Then the key is read again each second, so that
   * the process does not stay in the old phase for half a lifetime. The clock may be wrong: this only costs reads or time.
   */
  readonly isPhaseDue?: ((state: ShardState) => boolean) | undefined
  /** Whether to cache that a key is missing. False if an item has one place, which its writer chooses. */
  readonly remembersMissing: boolean
  /** Recent reads of other processes. */
  readonly shared?: SharedReads | undefined
  /**
   * Called for each read of the shard map that finds a state, including shared reads. `inUse` is the state that requests of this
   * process were still using.
   */
  readonly onRead: (key: LogicalKey, state: ShardState, inUse?: ShardState) => void
  /** Called when a refresh in the background fails. */
  readonly onRefreshFailed: (error: unknown) => void
}

/**
 * The shard map as one process sees it. States are cached. A process sends one read at a time for a key, never returns to an older
 * count, and never uses a state beyond its lifetime. Other processes rely on that lifetime: a change waits until every process must
 * know about it.
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

  /** The cached state, which may be expired. For decisions that are checked again before they take effect. */
  peek(key: LogicalKey): ShardState | undefined {
    return this.#entries.peek(keyText(key))?.state
  }

  /** Since when this process has known the count that it knows now; `undefined` if it knows none. */
  countSince(key: LogicalKey): number | undefined {
    return this.#entries.peek(keyText(key))?.countSince
  }

  /** Reads the current state. Does not join a read in progress, because that one may return an older state. */
  async reread(key: LogicalKey): Promise<ShardState | undefined> {
    return (await this.#readAgain(key)).state
  }

  /**
   * Adds heat to the totals of the key. The answer is also a read of the shard map.
   * @returns the state after it, which has another count if the heat was not added; `undefined` if there is none
   */
  async report(key: LogicalKey, { shards }: ShardState, heat: HeatTotals): Promise<ShardState | undefined> {
    const { clock, store } = this.#options
    const askedAt = clock.now()
    const state = await store.report(key, shards, heat)
    return state === undefined ? this.reread(key) : this.#answered(key, state, askedAt).state
  }

  /** Refreshes the cached entry in the background, if it is older than this. */
  refreshIfOlder(key: LogicalKey, milliseconds: number): boolean {
    const { cacheMilliseconds, onRefreshFailed } = this.#options
    const text = keyText(key)
    const entry = this.#entries.peek(text)
    if (entry === undefined || this.#reads.has(text)) return false
    if (cacheMilliseconds - this.#millisecondsLeft(entry) < milliseconds) return false
    this.#read(key, text).catch(onRefreshFailed)
    return true
  }

  /** Reads the current state. Adds the key to the shard map if it has no item. */
  async ensure(key: LogicalKey): Promise<ShardState> {
    return (await this.reread(key)) ?? stateOf(await this.#created(key, keyText(key)))
  }

  /** @returns the new state, or `undefined` if another process was first; in both cases the current state is then cached */
  async replace<Next extends ShardState>(
    key: LogicalKey,
    seen: ShardState,
    next: Next,
    growth?: Growth,
  ): Promise<Next | undefined> {
    const { clock, store } = this.#options
    const askedAt = clock.now()
    if (await store.replace(key, seen, next, growth)) {
      this.#learn(key, next, askedAt)
      return next
    }
    await this.#readAgain(key)
    return undefined
  }

  /** Returns the cached entry if it has not expired. In the second half of its lifetime, also refreshes it in the background. */
  #usable(key: LogicalKey, text: string): Entry | undefined {
    const { remembersMissing, cacheMilliseconds, isPhaseDue, onRefreshFailed } = this.#options
    const entry = this.#entries.get(text)
    if (entry === undefined || (entry.state === undefined && !remembersMissing)) return undefined
    const left = this.#millisecondsLeft(entry)
    if (left <= 0) return undefined
    // A phase is only due while items may move.
    const isDue =
      entry.view.moves !== undefined && entry.state !== undefined && isPhaseDue?.(entry.state) === true
    const age = isDue
      ? Math.min(DUE_MILLISECONDS, cacheMilliseconds * REFRESH_AFTER)
      : cacheMilliseconds * REFRESH_AFTER
    if (left <= cacheMilliseconds - age && !this.#reads.has(text)) {
      this.#read(key, text).catch(onRefreshFailed)
    }
    return entry
  }

  #millisecondsLeft({ view }: Entry): number {
    return view.validUntil - this.#options.clock.now()
  }

  async #readAgain(key: LogicalKey): Promise<Entry> {
    const { clock, store } = this.#options
    const askedAt = clock.now()
    return this.#answered(key, await store.read(key), askedAt)
  }

  #answered(key: LogicalKey, state: ShardState | undefined, askedAt: number): Entry {
    const { onRead } = this.#options
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
      // Each process votes for the state that it uses, even if another process read it.
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

  /** Caches a state from the table, and shares it with other processes. */
  #learn(key: LogicalKey, state: ShardState | undefined, askedAt: number): Entry {
    const { shared, cacheMilliseconds } = this.#options
    const kept = this.#keep(keyText(key), state, askedAt)
    if (kept.state !== undefined) {
      shared?.share(key, { state: kept.state, askedAt: kept.view.validUntil - cacheMilliseconds })
    }
    return kept
  }

  /** @returns the entry that is cached now: responses may arrive out of order, and then the later state wins */
  #keep(text: string, state: ShardState | undefined, askedAt: number): Entry {
    const { clock, initial, cacheMilliseconds } = this.#options
    const known = this.#entries.peek(text)
    const age = (state?.lastUpdated ?? -1) - (known?.state?.lastUpdated ?? -1)
    // Once the entry has expired, an earlier state is no late response: somebody has restored the shard map by hand.
    if (known !== undefined && age < 0 && this.#millisecondsLeft(known) > 0) return known
    const validUntil = Math.max(askedAt + cacheMilliseconds, age === 0 ? (known?.view.validUntil ?? 0) : 0)
    const countSince =
      known !== undefined && hasSameCount(known.state, state) ? known.countSince : clock.now()
    const kept = { state, view: viewOf(state ?? firstState(initial, 0), validUntil), countSince }
    this.#entries.set(text, kept)
    return kept
  }
}

function viewIn({ view }: Entry): ShardView {
  return view
}

function hasSameCount(one: ShardState | undefined, other: ShardState | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return countChangedAt(one) === countChangedAt(other) && one.phase === other.phase
}

function stateOf({ state }: Entry): ShardState {
  if (state === undefined) throw new Error('A created key has no state.')
  return state
}

function inOneFlight<T>(flights: Map<string, Promise<T>>, name: string, start: () => Promise<T>): Promise<T> {
  const under = flights.get(name)
  if (under !== undefined) return under
  const flight = start().finally(() => flights.delete(name))
  flights.set(name, flight)
  return flight
}
