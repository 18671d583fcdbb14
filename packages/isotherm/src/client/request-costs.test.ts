import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { watchRequests } from '../../test/sent-requests.js'
import { warmedUp } from '../../test/warmed-up.js'
import { CARD_KEY } from '../protocol/index.js'
import { announce, move } from '../protocol/states/calculated-count.js'
import { resize } from '../protocol/states/random-count.js'
import { firstState, type ShardState } from '../protocol/states/shard-state.js'
import { toAttributes } from '../protocol/stored-state/shard-map-item.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'
import type { ShardedTableOptions } from './options.js'

const PAGE = '../../../../docs/production.md'
const [BEGIN, END] = ['<!-- costs: npm run request-costs -->', '<!-- /costs -->']

const STORED = 20
const key = (at: number) => ({ pk: { S: 'k' }, sk: { N: String(at) } })
const item = (at: number) => ({ ...key(at), text: { S: 'x'.repeat(900) } })

/** The key `k` in the shard map, `seconds` ago. */
type Stated = (seconds: number) => ShardState

const settledAt =
  (shards: number): Stated =>
  (seconds) =>
    shards === 1 ? firstState(1, seconds - 60) : resizedFrom1(shards, seconds)

function resizedFrom1(shards: number, seconds: number): ShardState {
  const first = firstState(1, seconds - 60)
  return first.phase === 'settled' ? resize(first, shards, seconds - 50) : first
}

const changing: Stated = (seconds) =>
  move(announce(firstState(1, seconds - 60), 10, seconds - 20), seconds - 5)

interface Setting {
  readonly name: string
  /** Missing for the plain SDK. */
  readonly table?: Pick<ShardedTableOptions, 'suffix' | 'shards'>
  readonly state?: Stated
}

const dynamic = { shards: dynamicShards() }
const settings: readonly Setting[] = [
  { name: 'without the library' },
  { name: '`random`, 1 shard, never hot', table: { suffix: 'random', ...dynamic } },
  { name: '`random`, 1 shard', table: { suffix: 'random', ...dynamic }, state: settledAt(1) },
  { name: '`random`, 10 shards', table: { suffix: 'random', ...dynamic }, state: settledAt(10) },
  { name: '`calculated`, 1 shard, never hot', table: { suffix: 'calculated', ...dynamic } },
  { name: '`calculated`, 1 shard', table: { suffix: 'calculated', ...dynamic }, state: settledAt(1) },
  { name: '`calculated`, 10 shards', table: { suffix: 'calculated', ...dynamic }, state: settledAt(10) },
  {
    name: '`calculated`, 1 to 10 shards, *moved*',
    table: { suffix: 'calculated', ...dynamic },
    state: changing,
  },
  { name: '`random`, `fixedShards(10)`', table: { suffix: 'random', shards: fixedShards(10) } },
  { name: '`calculated`, `fixedShards(10)`', table: { suffix: 'calculated', shards: fixedShards(10) } },
]

const TableName = 'log'
const several = (count: number) => Array.from({ length: count }, (_, at) => at)
const isThere = { ConditionExpression: 'attribute_exists(pk)' }
const paid = { UpdateExpression: 'SET paid = :p', ExpressionAttributeValues: { ':p': { N: '1' } } }
const ofKey = { KeyConditionExpression: 'pk = :k', ExpressionAttributeValues: { ':k': { S: 'k' } } }

const commands = {
  'put of a new item': (at: number) => new PutItemCommand({ TableName, Item: item(100 + at) }),
  'update of an item': (at: number) => new UpdateItemCommand({ TableName, Key: key(at), ...paid }),
  'deletion on a condition': (at: number) => new DeleteItemCommand({ TableName, Key: key(at), ...isThere }),
  'get, eventually consistent': (at: number) => new GetItemCommand({ TableName, Key: key(at + 8) }),
  'get, consistent': (at: number) =>
    new GetItemCommand({ TableName, Key: key(at + 8), ConsistentRead: true }),
  'first put of a new key': (at: number) =>
    new PutItemCommand({ TableName, Item: { ...item(1), pk: { S: `new ${at}` } } }),
  'batch of 25 puts': () =>
    new BatchWriteItemCommand({
      RequestItems: { [TableName]: several(25).map((at) => ({ PutRequest: { Item: item(200 + at) } })) },
    }),
  'transaction of 4 puts': () =>
    new TransactWriteItemsCommand({
      TransactItems: several(4).map((at) => ({ Put: { TableName, Item: item(300 + at) } })),
    }),
  'query of 20 items': () => new QueryCommand({ TableName, ...ofKey }),
  'query of 20 items, consistent': () => new QueryCommand({ TableName, ...ofKey, ConsistentRead: true }),
} as const

/** Makes the card of the table, and lists the key on it. */
async function listKey(db: DynamoDBClient): Promise<void> {
  await db.send(new GetItemCommand({ TableName, Key: key(0) }))
  await db.send(
    new UpdateItemCommand({
      TableName: 'log_shard_map',
      Key: { pk: { S: CARD_KEY } },
      UpdateExpression: 'ADD listed_keys :keys, version :one',
      ExpressionAttributeValues: { ':keys': { SS: ['k'] }, ':one': { N: '1' } },
    }),
  )
}

const TIMES = 4
const RUN_ONCE = ['query', 'batch', 'transaction']

interface Cost {
  requests: number
  read: number
  write: number
}

async function costsOf({ table, state }: Setting): Promise<Record<string, Cost>> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  const random = new SeededRandom(2)
  const process = () =>
    table === undefined
      ? client
      : isotherm(client, { tables: { log: { partitionKey: 'pk', sortKey: 'sk', ...table } }, clock, random })
  const setState = async (stated: Stated) => {
    const Item = { ...toAttributes(stated(Math.floor(clock.now() / 1_000))), pk: { S: 'k' } }
    await client.send(new PutItemCommand({ TableName: 'log_shard_map', Item }))
  }
  const costs: Record<string, Cost> = {}
  await clock.run(async () => {
    await client.send(createTable('log', ['pk', 'sk:N']))
    await client.send(createTable('log_shard_map', ['pk']))
    // Items are stored before a change begins.
    if (state !== undefined) {
      await listKey(process() as DynamoDBClient)
      await setState(state === changing ? settledAt(1) : state)
    }
    const before = process()
    for (let at = 1; at <= STORED; at++) await before.send(new PutItemCommand({ TableName, Item: item(at) }))
    if (state === changing) await setState(state)
    let cost: Cost = { requests: 0, read: 0, write: 0 }
    const count = ({ read, write }: { read: number; write: number }) => {
      cost = { requests: cost.requests + 1, read: cost.read + read, write: cost.write + write }
    }
    watchRequests(client, { after: (_, units) => count(units) })
    for (const [name, command] of Object.entries(commands)) {
      const db = process()
      // The process has read the count before.
      await (db as DynamoDBClient).send(new GetItemCommand({ TableName, Key: key(0) }))
      cost = { requests: 0, read: 0, write: 0 }
      const times = RUN_ONCE.some((each) => name.startsWith(each)) ? 1 : TIMES
      for (let at = 1; at <= times; at++) await (db as DynamoDBClient).send(command(at) as PutItemCommand)
      costs[name] = { requests: cost.requests / times, read: cost.read / times, write: cost.write / times }
    }
  })
  await local.close()
  return costs
}

function cell({ requests, read, write }: Cost): string {
  const units = [read > 0 ? `${rounded(read)} RCU` : '', write > 0 ? `${rounded(write)} WCU` : '']
  return [rounded(requests), ...units.filter((unit) => unit !== '')].join(', ')
}

const rounded = (value: number) => String(Math.round(value * 100) / 100)

it('requests cost as much as docs/production.md states', async () => {
  const rows = await Promise.all(
    settings.map(async (setting) => ({ ...setting, costs: await costsOf(setting) })),
  )
  const names = Object.keys(commands)
  const table = [
    `| | ${names.join(' | ')} |`,
    `|---|${names.map(() => '---').join('|')}|`,
    ...rows.map(
      ({ name, costs }) => `| ${name} | ${names.map((each) => cell(costs[each] as Cost)).join(' | ')} |`,
    ),
  ].join('\n')
  const path = fileURLToPath(new URL(PAGE, import.meta.url))
  const page = readFileSync(path, 'utf8')
  const [head = '', rest = ''] = page.split(BEGIN)
  const tail = rest.slice(rest.indexOf(END))
  expect(tail).not.toBe('')
  await expect(`${head}${BEGIN}\n\n${table}\n\n${tail}`).toMatchFileSnapshot(path)
})
