import type { Clock } from '@isotherm/runtime'
import { keyText, type LogicalKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import type { SharedReads, SharedState } from '../shard-map/shard-map.js'
import { GuardedCache } from './guarded-cache.js'
import type { SecondLevelCache } from './second-level-cache-options.js'
import { fromText, toText } from './shared-text.js'

export interface SharedStatesOptions {
  readonly table: Pick<ShardedTable, 'shardMap' | 'cacheMilliseconds'>
  readonly secondLevel: SecondLevelCache
  readonly clock: Clock
  readonly onFailed: (error: unknown) => void
}

/** Opens them for one table, in the cache that the options name. */
export type OpenSharedStates = (options: Omit<SharedStatesOptions, 'secondLevel'>) => SharedStates

/** In the second half of its life a process fetches a count anew; one that is as old would be fetched in vain. */
const USABLE_SHARE_OF_LIFETIME = 0.5

/**
 * What the processes of a fleet know of one shard map, in a cache that they share.
 *
 * **No count becomes older by it.** Each text carries the time at which some process asked the table, and counts as older
 * by as much as clocks may differ. Whoever finds it goes on counting from that time instead of beginning anew. Nobody uses
 * it who must know the count as it is now.
 *
 * Only states that exist are shared: that a key is missing holds until its first write, which may be any moment.
 */
export class SharedStates implements SharedReads {
  readonly #options: SharedStatesOptions
  readonly #cache: GuardedCache

  constructor(options: SharedStatesOptions) {
    this.#options = options
    const { secondLevel, clock, onFailed } = options
    this.#cache = new GuardedCache({ secondLevel, clock, onFailed })
  }

  /** @returns what another process has read lately, in this process's time; `undefined` where there is no such thing */
  find(key: LogicalKey): Promise<SharedState | undefined> {
    const { shardMap } = this.#options.table
    return this.#cache.attempt(async (cache) => {
      const text = await cache.get(shardMap, keyText(key))
      const shared = text === undefined ? undefined : fromText(shardMap, text)
      return shared === undefined ? undefined : this.#usable(shared)
    })
  }

  /** Not waited for: the request at hand has what it needs. */
  share(key: LogicalKey, state: SharedState): void {
    const { shardMap, cacheMilliseconds } = this.#options.table
    void this.#cache.attempt((cache) =>
      cache.set(shardMap, keyText(key), toText(state), cacheMilliseconds * USABLE_SHARE_OF_LIFETIME),
    )
  }

  #usable({ state, askedAt }: SharedState): SharedState | undefined {
    const { secondLevel, table, clock } = this.#options
    const now = clock.now()
    const age = now - askedAt + secondLevel.clockSkewMilliseconds
    // Read in the future, by more than clocks may differ: what it says of its age is worth nothing.
    if (age < 0 || age >= table.cacheMilliseconds * USABLE_SHARE_OF_LIFETIME) return undefined
    return { state, askedAt: now - age }
  }
}
