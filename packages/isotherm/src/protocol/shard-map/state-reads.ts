import type { Clock } from '@isotherm/runtime'
import { Flights } from '../../bounded/flights.js'
import { keyText, type LogicalKey } from '../../keys/key.js'
import { JOINED_MILLISECONDS, REFRESH_AFTER, REFRESH_PAUSE_MILLISECONDS } from '../states/read-pace.js'
import { currentState, isOwn, isSameCount, type ShardState } from '../states/shard-state.js'
import { isListed } from '../table-card/table-card.js'
import type { TableCards } from '../table-card/table-cards.js'
import type { KnownState, KnownStates } from './known-states.js'
import type { ShardMapStore } from './shard-map-store.js'
import type { SharedReads } from './shared-reads.js'

/** How often a process reads a key whose next phase is due. */
const DUE_MILLISECONDS = 1_000

export interface StateReadsOptions {
  readonly store: Pick<ShardMapStore, 'read'>
  readonly clock: Clock
  readonly cacheMilliseconds: number
  /**
   * Whether the next phase of a key may have begun, by the clock of this process. Then the key is read again each second, so that
   * the process does not stay in the old phase for half a lifetime. The clock may be wrong: this only costs reads or time.
   */
  readonly isPhaseDue?: ((state: ShardState) => boolean) | undefined
  /** Whether to cache that a key is missing. False if an item has one place, which its writer chooses. */
  readonly remembersMissing: boolean
  /** The card of the table. Missing for the counts of indexes. */
  readonly cards?: Pick<TableCards, 'peek' | 'stillInUse' | 'requireItem'> | undefined
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
 * The reads of keys' items in the shard map. They fill the cache when a request waits, and refresh it in the background while its
 * entries are used.
 */
export class StateReads {
  readonly #options: StateReadsOptions
  readonly #states: KnownStates
  readonly #flights: Flights<KnownState>
  #nextRefresh = Number.NEGATIVE_INFINITY

  /** @param states the cache, which others read and fill, too */
  constructor(options: StateReadsOptions, states: KnownStates) {
    this.#options = options
    this.#states = states
    this.#flights = new Flights(options.clock, JOINED_MILLISECONDS)
  }

  /** Returns the cached entry if it has not expired. In the second half of its lifetime, also refreshes it in the background. */
  usable(key: LogicalKey, text: string): KnownState | undefined {
    const { clock, remembersMissing, cacheMilliseconds, isPhaseDue, onRefreshFailed } = this.#options
    const entry = this.#states.get(text)
    if (entry === undefined || (entry.state === undefined && !remembersMissing)) return undefined
    const left = this.#states.millisecondsLeft(entry)
    if (left <= 0) return undefined
    // A phase is only due while items may move.
    const isDue =
      entry.view.moves !== undefined && entry.state !== undefined && isPhaseDue?.(entry.state) === true
    const age = isDue
      ? Math.min(DUE_MILLISECONDS, cacheMilliseconds * REFRESH_AFTER)
      : cacheMilliseconds * REFRESH_AFTER
    const isOld = left <= cacheMilliseconds - age && clock.now() >= this.#nextRefresh
    if (isOld && this.#flights.under(text) === undefined && this.#mayChange(key, entry)) {
      this.#read(key, text).catch((error: unknown) => {
        this.#nextRefresh = clock.now() + REFRESH_PAUSE_MILLISECONDS
        onRefreshFailed(error)
      })
    }
    return entry
  }

  /** Refreshes the cached entry in the background, if there is one that is older than this, and no read of it is under way. */
  refreshIfOlder(key: LogicalKey, milliseconds: number): boolean {
    const { cacheMilliseconds, onRefreshFailed } = this.#options
    const text = keyText(key)
    const entry = this.#states.peek(text)
    if (entry === undefined || this.#flights.under(text) !== undefined) return false
    if (cacheMilliseconds - this.#states.millisecondsLeft(entry) < milliseconds) return false
    this.#read(key, text).catch(onRefreshFailed)
    return true
  }

  /** Reads for a request that waits. A read that was lost before the request came need not fail it. */
  readFor(key: LogicalKey, text: string): Promise<KnownState> {
    return this.#flights.under(text)?.catch(() => this.#read(key, text)) ?? this.#read(key, text)
  }

  /** Reads the item now. Does not join a read in progress, because that one may return an older state. */
  async readAgain(key: LogicalKey): Promise<KnownState> {
    const { clock, store, cards } = this.#options
    const askedAt = clock.now()
    // A card that is read meanwhile may list a key that had no item yet when this read was carried out.
    const card = cards?.peek()
    const state = await store.read(key)
    if (state === undefined) cards?.requireItem(key, /* mark: item-is-missed-by-an-earlier-card */ card)
    return this.answered(key, state, /* mark: entry-lives-from-its-request */ askedAt)
  }

  /** Caches the state that a request to the shard map has returned, and reports it as a read. */
  answered(key: LogicalKey, read: ShardState | undefined, askedAt: number): KnownState {
    const { onRead, cards, clock } = this.#options
    const known = this.#states.peek(keyText(key))
    const state = currentState(read, cards?.peek()?.initial)
    const entry = this.#states.learn(key, state, askedAt)
    const inUse = isOwn(known?.state) ? known.view : cards?.stillInUse(key)
    if (isOwn(state)) onRead(key, state, inUse && inUse.validUntil > clock.now() ? inUse.state : undefined)
    return entry
  }

  #read(key: LogicalKey, text: string): Promise<KnownState> {
    return this.#flights.join(text, async () => {
      const shared = await this.#options.shared?.find(key)
      if (shared === undefined) return this.readAgain(key)
      const { state, askedAt } = shared
      // Each process votes for the state that it uses, even if another process read it.
      this.#options.onRead(key, state)
      return this.#states.keep(text, state, askedAt)
    })
  }

  /** Whether the key's own item may say something else than this. That of a key that is not listed says what the card says. */
  #mayChange(key: LogicalKey, { state }: KnownState): boolean {
    const card = this.#options.cards?.peek()
    return card === undefined || isListed(card, key) || (isOwn(state) && !isSameCount(state, card.initial))
  }
}
