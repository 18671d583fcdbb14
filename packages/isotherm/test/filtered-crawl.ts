import {
  type AttributeValue,
  type DynamoDBClient,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { type Item, itemBytes } from '@isotherm/semantics'
import { isotherm } from '../src/client/isotherm.js'
import { jump } from '../src/protocol/placement/jump.js'
import { placeHash } from '../src/protocol/placement/place-hash.js'
import { dynamicShards, fixedShards } from '../src/scaling/shards.js'
import { bareClient } from './fake-client.js'
import { FakeTables } from './fake-tables.js'

/** The weight of each shard when items are spread over them. */
const SPREADS = {
  even: () => 1,
  skewed: (shard: number) => 1 / shard,
  'one shard': (shard: number) => (shard === 1 ? 1 : 0),
} as const

/** A key whose items are all read in pages, with a filter and a limit. */
export interface CrawledKey {
  readonly shards: number
  readonly spread: keyof typeof SPREADS
  readonly items: number
  readonly bytes: number
  readonly limit: number
  /** The filter passes one item of this many. */
  readonly passesOneOf: number
  readonly forward?: boolean
  readonly consistent?: boolean
  /** Whether the key has a calculated suffix, and its items are being moved from half as many shards. */
  readonly moving?: boolean
}

/** All pages of a query, and what they cost. */
export interface Crawl {
  readonly pages: readonly QueryCommandOutput[]
  readonly found: readonly string[]
  readonly units: number
  readonly requests: number
  /** The most requests of a page. */
  readonly mostRequests: number
}

/** Reads the same items with the same query from one partition and from the shards of a key. */
export async function crawls(key: CrawledKey): Promise<{ readonly plain: Crawl; readonly sharded: Crawl }> {
  const tables = new FakeTables()
    .create('log', { partitionKey: 'pk', sortKey: 'at' })
    .create('plain', { partitionKey: 'pk', sortKey: 'at' })
    .create('log_shard_map', { partitionKey: 'pk' })
  tables.execute('PutItem', { TableName: 'log_shard_map', Item: changeOf(key) })
  const random = new SeededRandom(key.shards)
  for (let at = 0; at < key.items; at++) {
    const shard = key.moving === true ? placeWhileMoving(at, key) : drawShard(random, key)
    tables.execute('PutItem', { TableName: 'log', Item: itemOf(`k_${shard}`, at, key) })
    tables.execute('PutItem', { TableName: 'plain', Item: itemOf('k', at, key) })
  }
  const client = bareClient(tables)
  const sharding =
    key.moving === true
      ? ({ suffix: 'calculated', shards: dynamicShards() } as const)
      : ({ suffix: 'random', shards: fixedShards(key.shards) } as const)
  const db = isotherm(client, {
    tables: { log: { partitionKey: 'pk', sortKey: 'at', ...sharding } },
    clock: new VirtualClock(),
    random,
  })
  return { plain: await crawl(tables, client, 'plain', key), sharded: await crawl(tables, db, 'log', key) }
}

function changeOf({ shards }: CrawledKey): Item {
  const from = String(shards / 2)
  return {
    pk: { S: 'k' },
    number_of_shards: { N: String(shards) },
    last_updated: { N: '1' },
    shard_history: { SS: [`0:${from}`, `1:${shards}`] },
    phase: { S: 'moved' },
    from_shards: { N: from },
    to_shards: { N: String(shards) },
  }
}

/** Half of the items are still in their old shards. */
function placeWhileMoving(at: number, { shards }: CrawledKey): number {
  return jump(placeHash([sortOf(at)]), at % 2 === 0 ? shards / 2 : shards) + 1
}

function drawShard(random: SeededRandom, { shards, spread }: CrawledKey): number {
  const weights = Array.from({ length: shards }, (_, index) => SPREADS[spread](index + 1))
  let rest = random.next() * weights.reduce((sum, each) => sum + each, 0)
  const index = weights.findIndex((each) => {
    rest -= each
    return rest < 0
  })
  return index < 0 ? shards : index + 1
}

function itemOf(partition: string, at: number, { bytes, passesOneOf }: CrawledKey): Item {
  const bare: Item = {
    pk: { S: partition },
    at: sortOf(at),
    wanted: { BOOL: at % passesOneOf === 0 },
    text: { S: '' },
  }
  return { ...bare, text: { S: 'x'.repeat(Math.max(0, bytes - itemBytes(bare))) } }
}

const sortOf = (at: number) => ({ N: String(at + 1_000_001) })

async function crawl(
  tables: FakeTables,
  db: DynamoDBClient,
  TableName: string,
  { limit, forward = true, consistent = false }: CrawledKey,
): Promise<Crawl> {
  const input: QueryCommandInput = {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    FilterExpression: 'wanted = :true',
    ExpressionAttributeValues: { ':pk': { S: 'k' }, ':true': { BOOL: true } },
    ScanIndexForward: forward,
    ConsistentRead: consistent,
    Limit: limit,
  }
  tables.queriedUnits = 0
  const isQuery = ({ operation }: { operation: string }) => operation === 'Query'
  let requests = 0
  const pages: QueryCommandOutput[] = []
  let mostRequests = 0
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined
  do {
    tables.requests.length = 0
    const next = ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }
    const page: QueryCommandOutput = await db.send(new QueryCommand({ ...input, ...next }))
    pages.push(page)
    const sent = tables.requests.filter(isQuery).length
    requests += sent
    mostRequests = Math.max(mostRequests, sent)
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey !== undefined)
  const found = pages.flatMap(({ Items = [] }) => Items.map(({ at }) => at?.N ?? ''))
  return { pages, found, units: tables.queriedUnits, requests, mostRequests }
}
