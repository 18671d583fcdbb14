import type { LogicalKey } from '../src/keys/key.js'
import type { ShardMapCache } from '../src/protocol/second-level-cache/shard-map-cache.js'
import type { ShardMapStore } from '../src/protocol/shard-map/shard-map-store.js'
import type { ShardState } from '../src/protocol/states/shard-state.js'

/** A cache in memory without expiry, so that its users must check the age of each entry. */
export class MemoryCache implements ShardMapCache {
  readonly texts = new Map<string, string>()
  readonly ttls: number[] = []

  async get(table: string, key: string): Promise<string | undefined> {
    return this.texts.get(`${table}/${key}`)
  }

  async set(table: string, key: string, value: string, ttlMilliseconds: number): Promise<void> {
    this.ttls.push(ttlMilliseconds)
    this.texts.set(`${table}/${key}`, value)
  }
}

/** One item of a shard map, without a table. */
export class MemoryShardMap implements Pick<ShardMapStore, 'read' | 'create' | 'replace' | 'report'> {
  state: ShardState | undefined
  reads = 0

  async read(): Promise<ShardState | undefined> {
    this.reads += 1
    return this.state
  }

  async create(_key: LogicalKey, state: ShardState): Promise<ShardState> {
    this.state ??= state
    return this.state
  }

  async report(): Promise<ShardState | undefined> {
    return this.state
  }

  async replace(_key: LogicalKey, seen: ShardState, next: ShardState): Promise<boolean> {
    if (this.state?.lastUpdated !== seen.lastUpdated) return false
    this.state = next
    return true
  }
}
