import type { Clock } from '@isotherm/runtime'
import { keyText, type LogicalKey } from '../keys/key.js'
import type { ShardedTable } from '../options/parse-options.js'
import type { ShardMapStore } from '../shard-map/shard-map-store.js'
import type { ShardState } from '../shard-map/shard-state.js'
import { type DatedState, fromText, toText } from './cached-text.js'
import { GuardedCache } from './guarded-cache.js'
import type { SecondLevelCache } from './second-level-cache-options.js'

export interface CachedShardMapStoreOptions {
  readonly store: Pick<ShardMapStore, 'read' | 'create' | 'change'>
  readonly table: Pick<ShardedTable, 'shardMap' | 'cacheMilliseconds'>
  readonly secondLevel: SecondLevelCache
  readonly clock: Clock
  readonly onFailed: (error: unknown) => void
  /**
   * Whether a state may be shared. One that is in the middle of a change must not be: there, processes must not be further
   * apart than their reads of the table are.
   */
  readonly admits?: (state: ShardState) => boolean
}

/** A state, or none, and the time since which its age counts. */
export interface AgedState {
  readonly state: ShardState | undefined
  /** Milliseconds since the Unix epoch by this process's clock; never later than the moment at which the table was asked. */
  readonly readAt: number
}

/**
 * The shard map's table behind a cache that processes share.
 *
 * **No count becomes older than without it.** A shared text is used only while it is younger than `cacheTtl`, counted from
 * when some process asked the table and made older by the allowed clock skew; and its reader is told that time, so that
 * the process's own cache goes on counting instead of beginning anew. A consistent read never looks at the shared cache.
 *
 * Only states that exist are shared: that a key is missing holds until its first write, which may be any moment.
 */
export class CachedShardMapStore {
  readonly #options: CachedShardMapStoreOptions
  readonly #cache: GuardedCache

  constructor(options: CachedShardMapStoreOptions) {
    this.#options = options
    const { secondLevel, clock, onFailed } = options
    this.#cache = new GuardedCache({ secondLevel, clock, onFailed })
  }

  async read(key: LogicalKey, consistent: boolean): Promise<AgedState> {
    const shared = consistent ? undefined : await this.#shared(key)
    return shared ?? this.#dated(key, () => this.#options.store.read(key, consistent))
  }

  create(key: LogicalKey, shards: number): Promise<AgedState> {
    return this.#dated(key, () => this.#options.store.create(key, shards))
  }

  /** @returns no state for the loser, who is not told which state won */
  change(key: LogicalKey, from: ShardState, shards: number): Promise<AgedState> {
    return this.#dated(key, () => this.#options.store.change(key, from, shards))
  }

  async #dated(key: LogicalKey, ask: () => Promise<ShardState | undefined>): Promise<AgedState> {
    const readAt = this.#options.clock.now()
    const state = await ask()
    if (state !== undefined) this.#share(key, { state, readAt })
    return { state, readAt }
  }

  async #shared(key: LogicalKey): Promise<AgedState | undefined> {
    const { shardMap } = this.#options.table
    return this.#cache.attempt(async (cache) => {
      const text = await cache.get(shardMap, keyText(key))
      const dated = text === undefined ? undefined : fromText(shardMap, text)
      return dated === undefined ? undefined : this.#usable(dated)
    })
  }

  /** The same state in this process's time, while it may be used. */
  #usable({ state, readAt }: DatedState): AgedState | undefined {
    const { secondLevel, table, clock } = this.#options
    const age = clock.now() - readAt + secondLevel.clockSkewMilliseconds
    // Read in the future, by more than clocks may differ: what it says of its age is worth nothing.
    if (age < 0 || age >= table.cacheMilliseconds || !this.#isAdmitted(state)) return undefined
    return { state, readAt: clock.now() - age }
  }

  /** Not waited for: the request at hand has what it needs. */
  #share(key: LogicalKey, dated: DatedState): void {
    const { table } = this.#options
    const text = keyText(key)
    void this.#cache.attempt((cache) =>
      this.#isAdmitted(dated.state)
        ? cache.set(table.shardMap, text, toText(dated), table.cacheMilliseconds)
        : cache.delete(table.shardMap, text),
    )
  }

  #isAdmitted(state: ShardState): boolean {
    return this.#options.admits?.(state) ?? true
  }
}
