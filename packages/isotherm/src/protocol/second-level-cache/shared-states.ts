import type { Clock } from '@isotherm/runtime'
import { keyText, type LogicalKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import type { SharedReads, SharedState } from '../shard-map/shared-reads.js'
import { GuardedCache } from './guarded-cache.js'
import type { SecondLevelCache } from './second-level-cache-options.js'
import { fromText, toText } from './shared-text.js'

export interface SharedStatesOptions {
  readonly table: Pick<ShardedTable, 'shardMap' | 'cacheMilliseconds'>
  readonly secondLevel: SecondLevelCache
  readonly clock: Clock
  /**
   * The name that the shard map's card got when it was made, as far as this process knows it. Tables of other accounts and regions may
   * have the same names, and use the same cache.
   */
  readonly made: () => string | undefined
  readonly onFailed: (error: unknown) => void
}

/** Opens the shared states of one table in the configured cache. */
export type OpenSharedStates = (options: Omit<SharedStatesOptions, 'secondLevel'>) => SharedStates

/** A process refreshes a count in the second half of its lifetime. A shared count of that age would be refreshed at once. */
const USABLE_SHARE_OF_LIFETIME = 0.5

/**
 * The states of one shard map that the processes of a fleet share through a cache.
 *
 * **Sharing never extends the lifetime of a count.** Each entry contains the time at which a process sent its read to the table,
 * and is treated as older by the allowed clock skew. A process that finds the entry counts its lifetime from that time. A caller
 * that needs the current count does not use the cache.
 *
 * Only existing states are shared. A missing key is not, because its first write may come at any moment.
 */
export class SharedStates implements SharedReads {
  readonly #options: SharedStatesOptions
  readonly #cache: GuardedCache

  constructor(options: SharedStatesOptions) {
    this.#options = options
    const { secondLevel, clock, onFailed } = options
    this.#cache = new GuardedCache({ secondLevel, clock, onFailed })
  }

  /** @returns a recent read of another process, with its time on this process's clock; `undefined` if there is none */
  find(key: LogicalKey): Promise<SharedState | undefined> {
    const { table, made } = this.#options
    const { shardMap } = table
    return this.#cache.attempt(async (cache) => {
      const text: unknown = await cache.get(shardMap, keyText(key))
      if (text !== undefined && typeof text !== 'string') throw new Error(notText(text))
      const shared = text === undefined ? undefined : fromText(shardMap, text, made())
      return shared === undefined ? undefined : this.#usable(shared)
    })
  }

  /** Does not wait for the cache: the current request already has its state. */
  share(key: LogicalKey, state: SharedState): void {
    const { table, made } = this.#options
    const { shardMap, cacheMilliseconds } = table
    const text = toText(state, made())
    void this.#cache.attempt(async (cache) => {
      await cache.set(shardMap, keyText(key), text, cacheMilliseconds * USABLE_SHARE_OF_LIFETIME)
    })
  }

  #usable({ state, askedAt }: SharedState): SharedState | undefined {
    const { secondLevel, table, clock } = this.#options
    const now = clock.now()
    const age = now - askedAt + secondLevel.clockSkewMilliseconds
    // A read time further in the future than the clock skew allows says nothing about the age.
    if (age < 0 || age >= table.cacheMilliseconds * USABLE_SHARE_OF_LIFETIME) return undefined
    return { state, askedAt: now - age }
  }
}

function notText(answer: unknown): string {
  return `The second-level cache answered ${answer === null ? 'null' : `a value of type ${typeof answer}`}; it must be a text, or undefined.`
}
