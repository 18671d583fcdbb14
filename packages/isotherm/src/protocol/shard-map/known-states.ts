import type { Clock } from '@isotherm/runtime'
import { RecentlyUsedMap } from '../../bounded/recently-used-map.js'
import { keyText, type LogicalKey } from '../../keys/key.js'
import { countChangedAt } from '../states/pace.js'
import { firstState, isOwn, type ShardState } from '../states/shard-state.js'
import { type ShardView, viewOf } from '../states/shard-view.js'
import type { SharedReads } from './shared-reads.js'

/** Keys that a process caches, about 2 MB. An evicted key costs one read when it is used again. */
const MAX_CACHED_KEYS = 10_000

/** What a process knows of a key. */
export interface KnownState {
  /** `undefined` if the shard map has no item for the key. */
  readonly state: ShardState | undefined
  /** The view for requests. It expires one lifetime after the read was sent: the state was current at that time or later. */
  readonly view: ShardView
  /** Since when this process has known the count. */
  readonly countSince: number
}

interface KnownStatesOptions {
  readonly clock: Clock
  readonly initial: number
  readonly cacheMilliseconds: number
  readonly shared?: SharedReads | undefined
}

/** The states that one process has cached. It never returns from a later state to an earlier one that arrives late. */
export class KnownStates {
  readonly #options: KnownStatesOptions
  readonly #states = new RecentlyUsedMap<string, KnownState>(MAX_CACHED_KEYS)

  constructor(options: KnownStatesOptions) {
    this.#options = options
  }

  /** Returns what is cached, which may have expired. */
  get(text: string): KnownState | undefined {
    return this.#states.get(text)
  }

  /** The same, without counting as a use of the key. */
  peek(text: string): KnownState | undefined {
    return this.#states.peek(text)
  }

  millisecondsLeft({ view }: KnownState): number {
    return view.validUntil - this.#options.clock.now()
  }

  /** Caches a state from the table, and shares it with other processes. */
  learn(key: LogicalKey, state: ShardState | undefined, askedAt: number): KnownState {
    const { shared, cacheMilliseconds } = this.#options
    const kept = this.keep(keyText(key), state, askedAt)
    // Other processes have the card for keys without a count of their own.
    if (isOwn(kept.state)) {
      shared?.share(key, { state: kept.state, askedAt: kept.view.validUntil - cacheMilliseconds })
    }
    return kept
  }

  /** @returns what is cached now: responses may arrive out of order, and then the later state wins */
  keep(text: string, state: ShardState | undefined, askedAt: number): KnownState {
    const { clock, initial, cacheMilliseconds } = this.#options
    const known = this.#states.peek(text)
    const age = (state?.lastUpdated ?? -1) - (known?.state?.lastUpdated ?? -1)
    // Once the entry has expired, an earlier state is no late response: somebody has restored the shard map by hand.
    if (known !== undefined && age < 0 && this.millisecondsLeft(known) > 0) return known
    const validUntil = Math.max(askedAt + cacheMilliseconds, age === 0 ? (known?.view.validUntil ?? 0) : 0)
    const countSince =
      known !== undefined && hasSameCount(known.state, state) ? known.countSince : clock.now()
    const kept = { state, view: viewOf(state ?? firstState(initial, 0), validUntil), countSince }
    this.#states.set(text, kept)
    return kept
  }
}

function hasSameCount(one: ShardState | undefined, other: ShardState | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return countChangedAt(one) === countChangedAt(other) && one.phase === other.phase
}
