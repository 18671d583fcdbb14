import {
  type DynamoDBClient,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { isotherm } from '../src/client/isotherm.js'
import type { IsothermMethods } from '../src/client/isotherm-methods.js'
import type { IndexedTableOptions, ShardedTableOptions } from '../src/client/options.js'
import type { ShardedIndexOptions } from '../src/indexes/index-options.js'
import { ensureShardMap } from '../src/protocol/index.js'
import { dynamicShards, fixedShards } from '../src/scaling/shards.js'
import type { StoredItem } from './sharded-engine.js'
import { warmedUp } from './warmed-up.js'

/** The design of the sharded twin. */
export interface IndexedDesign {
  readonly name: string
  readonly suffix: 'none' | 'random' | 'calculated'
  readonly shard: 'shadow-key' | 'attribute'
  readonly projection?: 'ALL' | 'KEYS_ONLY'
  /** Whether each value has a count of its own, which tests change by hand. */
  readonly isDynamic?: boolean
}

export const INDEXED_DESIGNS: readonly IndexedDesign[] = [
  { name: 'a table that is not sharded', suffix: 'none', shard: 'shadow-key' },
  { name: 'a shard attribute', suffix: 'none', shard: 'attribute' },
  { name: 'a projection of keys', suffix: 'none', shard: 'shadow-key', projection: 'KEYS_ONLY' },
  { name: 'a random suffix', suffix: 'random', shard: 'shadow-key' },
  { name: 'a calculated suffix', suffix: 'calculated', shard: 'shadow-key' },
  { name: 'a calculated suffix and a shard attribute', suffix: 'calculated', shard: 'attribute' },
  { name: 'dynamic counts', suffix: 'none', shard: 'shadow-key', isDynamic: true },
  { name: 'dynamic counts and a shard attribute', suffix: 'none', shard: 'attribute', isDynamic: true },
  { name: 'dynamic counts and a random suffix', suffix: 'random', shard: 'shadow-key', isDynamic: true },
]

const SHARDS = 3
const INDEX = 'by_status'
/** The maximum number of pages of one query, so that a cursor that repeats itself fails the test. */
const MAX_PAGES = 1_000

/**
 * A table `files` with a sharded index `by_status`, and a table `plain` with an unsharded index of the same name, in one
 * real engine. The same requests must have the same results in both.
 */
export class IndexedTwins {
  readonly clock = new VirtualClock()
  readonly #local = createLocal({ clock: this.clock, random: new SeededRandom(1), throttle: false })
  readonly plain: DynamoDBClient = this.#local.client()
  readonly db: DynamoDBClient & IsothermMethods
  readonly #design: IndexedDesign

  constructor(design: IndexedDesign) {
    this.#design = design
    this.db = isotherm(this.plain, {
      tables: { files: this.options },
      clock: this.clock,
      random: new SeededRandom(2),
    })
  }

  async run(test: () => Promise<void>): Promise<void> {
    await warmedUp(this.plain)
    await this.clock.run(async () => {
      await this.#createTable('plain', ['status'])
      await this.#createTable(
        'files',
        this.#design.shard === 'attribute' ? ['status', 'status_shard:N'] : ['isotherm_by_status'],
      )
      await ensureShardMap(this.plain, { table: 'files', clock: this.clock })
      await test()
    })
    this.db.destroy()
    await this.#local.close()
  }

  /** Changes the count of a value of a dynamic index. */
  async setShards(value: string, shards: number): Promise<void> {
    if (this.#design.isDynamic) await this.db.shards('files', value, { index: INDEX }).set(shards)
  }

  /** Every item of an index key, read page by page. */
  async query(client: DynamoDBClient, table: string, asked: Partial<QueryCommandInput>) {
    const items: StoredItem[] = []
    let ExclusiveStartKey: StoredItem | undefined
    let pages = 0
    do {
      if (++pages > MAX_PAGES) throw new Error(`A query of ${table} has more than ${MAX_PAGES} pages.`)
      const page: QueryCommandInput = { ...asked, TableName: table, IndexName: INDEX }
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand(ExclusiveStartKey === undefined ? page : { ...page, ExclusiveStartKey }),
      )
      items.push(...Items)
      ExclusiveStartKey = LastEvaluatedKey
    } while (ExclusiveStartKey !== undefined)
    return items
  }

  /** Every item of a table, in no particular order. */
  async scan(client: DynamoDBClient, table: string): Promise<readonly StoredItem[]> {
    const { Items = [] } = await client.send(new ScanCommand({ TableName: table, ConsistentRead: true }))
    return Items
  }

  /** The options of the table `files`. */
  get options(): ShardedTableOptions | IndexedTableOptions {
    const { suffix, shard, isDynamic = false } = this.#design
    const index: ShardedIndexOptions = {
      partitionKey: 'status',
      sortKey: 'at',
      shards: isDynamic ? dynamicShards({ initial: SHARDS }) : fixedShards(SHARDS),
      ...(shard === 'attribute' ? { shardAttribute: 'status_shard' } : {}),
    }
    const table = { partitionKey: 'folder', sortKey: 'file', indexes: { [INDEX]: index } }
    return suffix === 'none' ? table : { ...table, suffix, shards: fixedShards(2) }
  }

  async #createTable(TableName: string, hash: readonly string[]): Promise<void> {
    const byStatus = { key: { hash, range: ['at:N'] }, projected: this.#design.projection ?? 'ALL' }
    await this.plain.send(createTable(TableName, ['folder', 'file:N'], { global: { [INDEX]: byStatus } }))
  }
}
