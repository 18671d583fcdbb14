import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { beforeAll, expect, it } from 'vitest'
import { type IamUse, iamUsesOf } from '../../test/iam-uses.js'
import { type SentRequest, watchRequests } from '../../test/sent-requests.js'
import { warmedUp } from '../../test/warmed-up.js'
import { adoptCheck } from '../adopting/adopt-check.js'
import type { IsothermEvent } from '../events/event.js'
import { ensureShardMap } from '../protocol/shard-map/ensure-shard-map.js'
import { raiseWriteCapacity } from '../scaling/raise-write-capacity.js'
import { dynamicShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'
import type { ShardedTableOptions } from './options.js'
import { rebuildShardMap } from './rebuild-shard-map.js'

interface Statement {
  readonly Sid: string
  readonly Action: readonly string[]
  readonly Resource: readonly string[] | string
}

const sources = fileURLToPath(new URL('..', import.meta.url))
const page = ['production', 'recovery']
  .map((name) => readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8'))
  .join('\n')

/** The statements of the page's policies, by their names. */
const documented = new Map(
  [...page.matchAll(/^```json\n(.*?)^```/gms)]
    .flatMap((match) => (JSON.parse(match[1] ?? '') as { Statement?: Statement[] }).Statement ?? [])
    .map((statement) => [statement.Sid, statement]),
)

function allows({ Action, Resource }: Statement, { action, resource }: IamUse): boolean {
  const resources = [Resource].flat().map((each) => each.slice(each.indexOf('table/') + 'table/'.length))
  return (
    Action.includes(action) &&
    resources.some((each) =>
      each.endsWith('*') ? resource.startsWith(each.slice(0, -1)) : each === resource,
    )
  )
}

/** Denies what the statements do not allow, as IAM does, and remembers what was used. */
class Policy {
  readonly denied = new Set<string>()
  readonly used = new Set<string>()
  readonly #statements: readonly Statement[]

  constructor(...names: readonly string[]) {
    this.#statements = names.map((name) => {
      const statement = documented.get(name)
      if (statement === undefined) throw new Error(`docs/production.md has no statement ${name}.`)
      return statement
    })
  }

  attach(client: DynamoDBClient): void {
    watchRequests(client, { before: (request) => this.#check(request) })
  }

  /** The actions that the statements allow for nothing. */
  get superfluous(): string[] {
    return this.#statements.flatMap(({ Sid, Action }) =>
      Action.map((action) => `${Sid} ${action}`).filter((name) => !this.used.has(name)),
    )
  }

  #check(request: SentRequest): void {
    for (const use of iamUsesOf(request)) {
      const statement = this.#statements.find((each) => allows(each, use))
      if (statement === undefined) {
        this.denied.add(`${use.action} ${use.resource}`)
        throw Object.assign(new Error(`Not authorized: ${use.action}`), {
          name: 'AccessDeniedException',
          $fault: 'client',
        })
      }
      this.used.add(`${statement.Sid} ${use.action}`)
    }
  }
}

const keys = { partitionKey: 'customer', sortKey: 'order_id' } as const
const by_status = { partitionKey: 'status', shards: dynamicShards() } as const

const TableName = 'orders'
const key = (at: number, customer = 'acme') => ({ customer: { S: customer }, order_id: { S: `order-${at}` } })
const item = (at: number, customer?: string) => ({ ...key(at, customer), status: { S: 'open' } })
const ofKey = { KeyConditionExpression: 'customer = :c', ExpressionAttributeValues: { ':c': { S: 'acme' } } }
const ofIndex = {
  IndexName: 'by_status',
  KeyConditionExpression: '#s = :s',
  ExpressionAttributeNames: { '#s': 'status' },
  ExpressionAttributeValues: { ':s': { S: 'open' } },
}
const isThere = { ConditionExpression: 'attribute_exists(customer)' }
const paid = { UpdateExpression: 'SET paid = :p', ExpressionAttributeValues: { ':p': { N: '1' } } }

type Db = ReturnType<typeof isotherm<DynamoDBClient>>

/** All commands that an application may send. */
async function useTable(db: Db, from: number): Promise<void> {
  for (let at = from; at < from + 8; at++) await db.send(new PutItemCommand({ TableName, Item: item(at) }))
  await db.send(new UpdateItemCommand({ TableName, Key: key(from), ...paid }))
  await db.send(new DeleteItemCommand({ TableName, Key: key(from + 1), ...isThere }))
  await db.send(new GetItemCommand({ TableName, Key: key(from) }))
  await db.send(new QueryCommand({ TableName, ...ofKey }))
  await db.send(new QueryCommand({ TableName, ...ofIndex }))
  await db.send(new BatchGetItemCommand({ RequestItems: { orders: { Keys: [key(from), key(from + 2)] } } }))
  const put = { PutRequest: { Item: item(from + 1) } }
  await db.send(new BatchWriteItemCommand({ RequestItems: { orders: [put] } }))
  await db.send(new TransactGetItemsCommand({ TransactItems: [{ Get: { TableName, Key: key(from) } }] }))
  const check = { ConditionCheck: { TableName, Key: key(from + 2), ...isThere } }
  const update = { Update: { TableName, Key: key(from + 3), ...paid } }
  await db.send(new TransactWriteItemsCommand({ TransactItems: [check, update] }))
}

/** A table with a hot key, whose count is changed by hand as well, up and down. */
async function liveUnder(
  policy: Policy,
  table: Pick<ShardedTableOptions, 'suffix'> & Partial<ShardedTableOptions>,
): Promise<readonly IsothermEvent[]> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1) })
  const client = await warmedUp(local.client())
  const events: IsothermEvent[] = []
  await clock.run(async () => {
    const global = { by_status: ['isotherm_by_status'] } as const
    const shape = table.capacity === undefined ? { global } : { global, units: 20 }
    await client.send(createTable('orders', ['customer', 'order_id'], shape))
    await ensureShardMap(client, { table: 'orders', clock })
    policy.attach(client)
    const db = isotherm(client, {
      tables: { orders: { ...keys, shards: dynamicShards(), indexes: { by_status }, ...table } },
      clock,
      random: new SeededRandom(2),
      onEvent: (event) => events.push(event),
    })
    if (table.capacity === undefined) {
      const shards = db.shards('orders', 'acme')
      await useTable(db, 0)
      await shards.set(4)
      for (let at = 1; at <= 3; at++) {
        await useTable(db, 10 * at)
        await clock.sleep(20_000)
      }
      await shards.resume()
      await shards.price(2)
      await shards.set(2)
      await shards.drain({ unitsPerSecond: 1_000 })
    }
    const writes: Promise<unknown>[] = []
    for (let at = 0; at < 150; at++) {
      const text = { S: 'x'.repeat(table.capacity === undefined ? 60_000 : 500) }
      const hot = { ...item(at, 'hot'), status: { S: `s${at}` }, text }
      writes.push(db.send(new PutItemCommand({ TableName, Item: hot })).catch(() => {}))
      await clock.sleep(10)
    }
    await Promise.all(writes)
    await clock.sleep(60_000)
  })
  await local.close()
  return events
}

const APPLICATION = ['Items', 'Indexes', 'Describe', 'ShardMap']

it.each(['random', 'calculated'] as const)(
  'the documented policy suffices for a suffix %s',
  async (suffix) => {
    const policy = new Policy(...APPLICATION)
    const events = await liveUnder(policy, { suffix })
    expect([...policy.denied]).toEqual([])
    expect(policy.superfluous).toEqual([])
    expect(events.filter(({ type }) => type === 'failed')).toEqual([])
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['scaled', 'throttled']))
  },
)

it('raising capacity needs one action more, and nothing else', async () => {
  const policy = new Policy(...APPLICATION, 'RaiseCapacity')
  const capacity = raiseWriteCapacity({ maxWriteUnits: 1_000 })
  const events = await liveUnder(policy, { suffix: 'random', capacity })
  expect([...policy.denied]).toEqual([])
  expect(policy.used).toContain('RaiseCapacity dynamodb:UpdateTable')
  expect(events.map(({ type }) => type)).toContain('capacity-raised')
})

it('a policy without an action is noticed', async () => {
  const policy = new Policy('Items', 'Indexes', 'ShardMap')
  await liveUnder(policy, { suffix: 'random' })
  expect([...policy.denied]).toContain('dynamodb:DescribeTable orders')
})

it('the policy of docs/recovery.md suffices for a rebuild', async () => {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  const policy = new Policy('RebuildTable', 'RebuildShardMap')
  const options = { ...keys, suffix: 'calculated', shards: dynamicShards() } as const
  await clock.run(async () => {
    await client.send(createTable('orders', ['customer', 'order_id']))
    await ensureShardMap(client, { table: 'orders', clock })
    const db = isotherm(client, { tables: { orders: options }, clock, random: new SeededRandom(2) })
    await db.shards('orders', 'acme').set(4)
    await db.shards('orders', 'acme').drain()
    for (let at = 0; at < 20; at++) await db.send(new PutItemCommand({ TableName, Item: item(at) }))
    db.destroy()
    await client.send(
      new DeleteItemCommand({ TableName: 'orders_shard_map', Key: { customer: { S: 'acme' } } }),
    )
    await client.send(new PutItemCommand({ TableName: 'orders_shard_map', Item: { customer: { S: 'old' } } }))
    policy.attach(client)
    expect(await rebuildShardMap(client, { table: 'orders', options, clock })).toMatchObject({ keys: 1 })
  })
  await local.close()
  expect([...policy.denied]).toEqual([])
  // The shard map exists already.
  expect(policy.superfluous).toEqual(['RebuildShardMap dynamodb:CreateTable'])
})

it('the policies for deployment and for the check of a table suffice', async () => {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1) })
  const deployed = await warmedUp(local.client())
  const checked = await warmedUp(local.client())
  const deploy = new Policy('CreateShardMap')
  const check = new Policy('AdoptCheck')
  await clock.run(async () => {
    await deployed.send(createTable('orders', ['customer', 'order_id']))
    for (const Item of [item(1), item(1, 'acme_2')])
      await deployed.send(new PutItemCommand({ TableName, Item }))
    deploy.attach(deployed)
    check.attach(checked)
    await ensureShardMap(deployed, { table: 'orders', clock })
    await adoptCheck(checked, { table: 'orders', clock, random: new SeededRandom(2) })
  })
  await local.close()
  for (const policy of [deploy, check]) {
    expect([...policy.denied]).toEqual([])
    expect(policy.superfluous).toEqual([])
  }
})

/** The operations of the commands that the library's sources make. */
let operations: Set<string>

beforeAll(() => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  const texts = files
    // The table patterns have guides of their own.
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('patterns/'))
    .map((file) => readFileSync(`${sources}/${file}`, 'utf8').replaceAll(/^\s*(\*|\/\/).*$/gm, ''))
  const made = texts.flatMap((text) =>
    [...text.matchAll(/\bnew ([A-Z]\w+)Command\(/g)].map(([, name = '']) => name),
  )
  operations = new Set(made)
})

it('the documented policies have the actions of all commands that the library can send', () => {
  const actions = new Set([...documented.values()].flatMap(({ Action }) => Action))
  const withoutAction = new Set(['TransactGetItems', 'TransactWriteItems'])
  const needed = [...operations].filter((name) => !withoutAction.has(name))
  expect(needed.length).toBeGreaterThan(10)
  for (const name of needed) {
    const service = name === 'GetMetricData' ? 'cloudwatch' : 'dynamodb'
    expect(actions).toContain(`${service}:${name}`)
  }
})
