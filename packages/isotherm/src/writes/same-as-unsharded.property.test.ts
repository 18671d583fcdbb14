import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { type ShardedEngine, type StoredItem, scanned, shardedEngine } from '../../test/sharded-engine.js'
import type { ShardedTableOptions } from '../client/options.js'
import { readItemKey } from '../keys/item-key.js'
import { presentedItem } from '../keys/presented-item.js'
import { MOVE_ATTRIBUTES } from '../protocol/moves/move-attributes.js'
import { placementOf } from '../protocol/placement/placement.js'
import { announce, drain, move } from '../protocol/states/calculated-count.js'
import { resize } from '../protocol/states/random-count.js'
import { firstState, isChanging, type ShardState } from '../protocol/states/shard-state.js'
import { viewOf } from '../protocol/states/shard-view.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'
import { calculated } from './calculated.js'
import { type HandMade, handMade } from './hand-made.js'

const RUNS = inject('trials') === 'many' ? 60 : 20

interface Step {
  readonly command: 'put' | 'update' | 'delete' | 'get' | 'mark'
  readonly sort: number
  readonly value: number
  readonly condition: number
  readonly update: number
  readonly returns: number
  readonly showsOld: boolean
  readonly projection: number
}

/** Conditions, each with its value of `:n`. The last two have no value. */
const CONDITIONS = [
  undefined,
  'attribute_not_exists(pk)',
  'attribute_exists(#p)',
  'v < :n',
  'attribute_not_exists(v) OR v <> :n',
  'pk = :pk',
  'NOT #p = :pk AND attribute_not_exists(v)',
  'pk <> :pk OR v >= :n',
  'pk IN (:other, :pk) AND v = :n',
  'begins_with(#p, :other)',
  'size(pk) = :one AND attribute_exists(sk)',
  'pk BETWEEN :other AND :pk AND sk <> :n',
]
const UPDATES = [
  undefined,
  'SET v = :n',
  'ADD n :one',
  'REMOVE v SET n = :one',
  'SET v = if_not_exists(v, :n) + :one, #l = list_append(if_not_exists(#l, :list), :list)',
  'SET n = v',
  'SET m.x = :n',
  'SET pk = :pk',
]
const PROJECTIONS = [undefined, 'v', 'pk, n', '#l[0], sk', 'zzz']
const OLD = [undefined, 'ALL_OLD'] as const
const ANY = [undefined, 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW', 'NONE'] as const

const step: fc.Arbitrary<Step> = fc.record({
  command: fc.constantFrom('put', 'update', 'update', 'delete', 'get', 'mark'),
  sort: fc.integer({ min: 0, max: 4 }),
  value: fc.integer({ min: 0, max: 3 }),
  condition: fc.nat(CONDITIONS.length - 1),
  update: fc.nat(UPDATES.length - 1),
  returns: fc.nat(ANY.length - 1),
  showsOld: fc.boolean(),
  projection: fc.nat(PROJECTIONS.length - 1),
})

const NAMES: Record<string, string> = { '#p': 'pk', '#l': 'list' }

function texts(members: { ConditionExpression?: string; UpdateExpression?: string }, value: number) {
  const used = new Set(
    Object.values(members)
      .join(' ')
      .match(/[#:]\w+/g),
  )
  const values = {
    ':n': { N: String(value) },
    ':one': { N: '1' },
    ':pk': { S: 'k' },
    ':other': { S: 'a' },
    ':list': { L: [{ N: String(value) }] },
  }
  const only = <Value>(all: Record<string, Value>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)))
  const names = only(NAMES)
  const bound = only(values)
  return {
    ...members,
    ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
    ...(Object.keys(bound).length === 0 ? {} : { ExpressionAttributeValues: bound }),
  }
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [K in Name]?: Value }
}

function sending({ command, sort, value, condition, update, returns, showsOld, projection }: Step) {
  const Key = { pk: { S: 'k' }, sk: { N: value === 3 ? `${sort}.0` : String(sort) } }
  const written = {
    ...optional('ReturnValuesOnConditionCheckFailure', showsOld ? ('ALL_OLD' as const) : undefined),
  }
  const ConditionExpression = optional('ConditionExpression', CONDITIONS[condition])
  const old = optional('ReturnValues', OLD[returns % OLD.length])
  return (client: DynamoDBClient, TableName: string, isAppendable: boolean) => {
    if (command === 'get') {
      const names = PROJECTIONS[projection]?.includes('#l') ? { '#l': 'list' } : undefined
      return client.send(
        new GetItemCommand({
          TableName,
          Key,
          ConsistentRead: true,
          ...optional('ProjectionExpression', PROJECTIONS[projection]),
          ...optional('ExpressionAttributeNames', names),
        }),
      )
    }
    if (command === 'put') {
      const Item = { ...Key, v: { N: String(value) }, m: { M: {} } }
      // With a random suffix, a plain put adds a copy. There the primary key is unique by construction.
      const returned = isAppendable ? old : { ReturnValues: 'ALL_OLD' as const }
      return client.send(
        new PutItemCommand({
          TableName,
          Item,
          ...texts(ConditionExpression, value),
          ...written,
          ...returned,
        }),
      )
    }
    if (command === 'delete') {
      return client.send(
        new DeleteItemCommand({ TableName, Key, ...texts(ConditionExpression, value), ...written, ...old }),
      )
    }
    const changes = { ...ConditionExpression, ...optional('UpdateExpression', UPDATES[update]) }
    const any = optional('ReturnValues', ANY[returns])
    return client.send(
      new UpdateItemCommand({ TableName, Key, ...texts(changes, value), ...written, ...any }),
    )
  }
}

/** The part of a response that the application sees. */
async function seen(answer: Promise<object>): Promise<object> {
  try {
    const { $metadata, ...shown } = (await answer) as { $metadata: object }
    return shown
  } catch (error) {
    const { name, message, Item } = error as Error & { Item?: StoredItem }
    return { name, message, Item }
  }
}

interface Scenario {
  readonly table: Pick<ShardedTableOptions, 'shards' | 'adopt'> & {
    readonly suffix: Exclude<ShardedTableOptions['suffix'], HandMade>
  }
  readonly state?: ShardState
}

const grown = announce(firstState(2, 1_000), 5, 2_000)
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a random suffix': { table: { suffix: 'random', shards: fixedShards(3) } },
  'a random suffix and one shard': { table: { suffix: 'random', shards: fixedShards(1) } },
  'a random suffix and retired shards': {
    table: { suffix: 'random', shards: dynamicShards() },
    state: resize(firstState(5, 1_000), 2, 2_000),
  },
  'a calculated suffix': { table: { suffix: 'calculated', shards: fixedShards(4) } },
  'a placement of its own': {
    table: {
      suffix: handMade({
        name: 'by hand',
        delimiter: '_',
        shardOf: ({ sortKey, shards }) => (Number(sortKey) % shards) + 1,
      }).placement,
      shards: fixedShards(3),
    },
  },
  'a calculated suffix of both keys, of a dynamic count': {
    table: { suffix: calculated({ from: ['pk', 'sk'] }), shards: dynamicShards({ initial: 3 }) },
  },
  'a calculated suffix whose new count is announced': {
    table: { suffix: 'calculated', shards: dynamicShards() },
    state: grown,
  },
  'a calculated suffix whose items are being moved': {
    table: { suffix: 'calculated', shards: dynamicShards() },
    state: move(grown, 3_000),
  },
  'a calculated suffix whose last items are being moved': {
    table: { suffix: 'calculated', shards: dynamicShards() },
    state: drain(move(grown, 3_000), 4_000),
  },
  'a calculated suffix of an adopted table whose items are being moved': {
    table: { suffix: 'calculated', shards: dynamicShards(), adopt: true },
    state: move(announce(firstState(1, 1_000), 4, 2_000), 3_000),
  },
}

/** Puts an item into any shard where it may be in the scenario's state. */
async function seedItem(engine: ShardedEngine, { table, state }: Scenario, sort: number, place: number) {
  const schema = { name: 'log', partitionKey: 'pk', sortKey: 'sk' }
  const suffix = table.suffix === 'calculated' ? calculated() : table.suffix
  const logical = { pk: { S: 'k' }, sk: { N: String(sort) } }
  const view = viewOf(state ?? firstState(table.shards.kind === 'fixed' ? table.shards.count() : 3, 0), 0)
  const places = placementOf({ suffix, partitionKey: 'pk' }).candidates(view, readItemKey(schema, logical))
  const isAnnounced = view.state?.phase === 'announced'
  const shard = isAnnounced ? places[0] : places[place % places.length]
  const pk = table.adopt && shard === 1 ? 'k' : `k_${shard}`
  const item = { v: { N: '1' }, n: { N: String(sort) }, m: { M: {} } }
  await engine.client.send(
    new PutItemCommand({ TableName: 'log', Item: { ...logical, ...item, pk: { S: pk } } }),
  )
  await engine.client.send(new PutItemCommand({ TableName: 'plain', Item: { ...logical, ...item } }))
}

/** Marks the item like a mover, if it is in a shard that items leave. */
async function mark(engine: ShardedEngine, { table, state }: Scenario, sort: number) {
  if (state === undefined || state.phase === 'announced') return
  const schema = { name: 'log', partitionKey: 'pk', sortKey: 'sk' }
  const key = readItemKey(schema, { pk: { S: 'k' }, sk: { N: String(sort) } })
  const suffix = table.suffix === 'random' ? table.suffix : calculated()
  const placement = placementOf({ suffix, partitionKey: 'pk' })
  const view = viewOf(state, 0)
  const target = placement.home(view, key)
  const isLeft = (shard: number) => (isChanging(state) ? shard !== target : shard > state.shards)
  for (const source of placement.candidates(view, key).filter(isLeft)) {
    const pk = table.adopt && source === 1 ? 'k' : `k_${source}`
    await engine.client
      .send(
        new UpdateItemCommand({
          TableName: 'log',
          Key: { pk: { S: pk }, sk: { N: String(sort) } },
          UpdateExpression: 'SET isotherm_moving = :name',
          ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(isotherm_moving)',
          ExpressionAttributeValues: { ':name': { S: `${target}:7` } },
        }),
      )
      .catch(() => {})
  }
}

const bySort = (a: StoredItem, b: StoredItem) => Number(a.sk?.N) - Number(b.sk?.N)

describe('single items behave like those of an unsharded table', () => {
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    it(`with ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.nat(9)), { maxLength: 4 }),
          fc.array(step, { minLength: 4, maxLength: 14 }),
          async (seeds, steps) => {
            const engine = await shardedEngine(scenario.table)
            await engine.clock.run(async () => {
              if (scenario.state !== undefined) await engine.setState(scenario.state)
              const sorts = new Map(seeds)
              for (const [sort, place] of sorts) await seedItem(engine, scenario, sort, place)
              const db = engine.process()
              for (const each of steps) {
                if (each.command === 'mark') {
                  await mark(engine, scenario, each.sort)
                  continue
                }
                const isAppendable = scenario.table.suffix !== 'random'
                const send = sending(each)
                const expected = await seen(send(engine.client, 'plain', isAppendable))
                expect({ ...each, answer: await seen(send(db, 'log', isAppendable)) }).toEqual({
                  ...each,
                  answer: expected,
                })
              }
              const hiddenAttributes = Object.values(MOVE_ATTRIBUTES)
              const stored = (await scanned(engine.client, 'log')).map((item) =>
                presentedItem({ partitionKey: 'pk', hiddenAttributes }, { S: 'k' } as never, item),
              )
              expect(stored.sort(bySort)).toEqual([...(await scanned(engine.client, 'plain'))].sort(bySort))
            })
            await engine.close()
          },
        ),
        { numRuns: RUNS },
      )
    }, 60_000)
  }
})
