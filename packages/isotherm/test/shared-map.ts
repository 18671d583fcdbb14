import type { LogicalKey } from '../src/keys/key.js'
import type { ShardMapCache } from '../src/second-level-cache/shard-map-cache.js'
import type { ShardMapStore } from '../src/shard-map/shard-map-store.js'
import { changedState, firstState, type ShardState } from '../src/shard-map/shard-state.js'

/** A cache in memory that forgets nothing by itself: its users must judge the age of what it holds. */
export class MemoryCache implements ShardMapCache {
  readonly texts = new Map<string, string>()
  readonly ttls: number[] = []
  gets = 0

  async get(table: string, key: string): Promise<string | undefined> {
    this.gets += 1
    return this.texts.get(`${table}/${key}`)
  }

  async set(table: string, key: string, value: string, ttlMilliseconds: number): Promise<void> {
    this.ttls.push(ttlMilliseconds)
    this.texts.set(`${table}/${key}`, value)
  }

  async delete(table: string, key: string): Promise<void> {
    this.texts.delete(`${table}/${key}`)
  }
}

/** One item of a shard map, without a table around it. */
export class MemoryShardMap implements Pick<ShardMapStore, 'read' | 'create' | 'change'> {
  state: ShardState | undefined
  reads = 0

  async read(): Promise<ShardState | undefined> {
    this.reads += 1
    return this.state
  }

  async create(_key: LogicalKey, shards: number): Promise<ShardState> {
    this.state ??= firstState(shards, 1_800_000_000)
    return this.state
  }

  async change(_key: LogicalKey, from: ShardState, shards: number): Promise<ShardState | undefined> {
    if (this.state?.lastUpdated !== from.lastUpdated) return undefined
    this.state = changedState(from, shards, from.lastUpdated)
    return this.state
  }
}
