import {
  type AttributeValue,
  DeleteItemCommand,
  type DescribeTableCommandOutput,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal, type Local } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchRequests } from '../../../test/sent-requests.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { LogicalKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import { announce } from '../states/calculated-count.js'
import { firstState } from '../states/shard-state.js'
import { firstCardItem } from './card-item.js'
import { CARD_KEY } from './own-keys.js'
import { TableCardStore } from './table-card-store.js'

const KEY = { S: 'k' } as LogicalKey
const SETTINGS = { partitionKey: 'pk', initial: '2' }
const FIRST = firstState(2, 0)
const CHANGE = { accepted: new Set(['2', '4']), migration: { to: 4 } }
const OPTIONS = {
  name: 'log',
  shardMap: 'map',
  partitionKey: 'pk',
  sortKey: 'sk',
  suffix: 'calculated',
} as unknown as ShardedTable

let local: Local
let client: DynamoDBClient
let clock: VirtualClock
/** What the comparison of the items is given, and does. */
let compared: boolean[]
let requireItems: () => Promise<void>
let store: TableCardStore

beforeEach(async () => {
  local = createLocal({ throttle: false })
  client = local.client()
  clock = new VirtualClock()
  await client.send(createTable('log', ['pk', 'sk']))
  await client.send(createTable('map', ['pk']))
  compared = []
  requireItems = async () => {}
  store = storeOf(OPTIONS)
})
afterEach(() => local.close())

function storeOf(options: ShardedTable): TableCardStore {
  return new TableCardStore({
    options,
    client: client as PhysicalClient,
    clock,
    random: new SeededRandom(1),
    requireItems: async (isEmpty) => {
      compared.push(isEmpty)
      await requireItems()
    },
    counts: { mayFall: true },
  })
}

async function item(): Promise<Record<string, AttributeValue> | undefined> {
  const { Item } = await client.send(new GetItemCommand({ TableName: 'map', Key: { pk: { S: CARD_KEY } } }))
  return Item
}

/** The card of another process, which was faster. */
async function putCard(): Promise<void> {
  const Item = {
    ...firstCardItem(SETTINGS, { made: '1:other', table: 'log', shardMap: 'map' }, true),
    pk: { S: CARD_KEY },
  }
  await client.send(new PutItemCommand({ TableName: 'map', Item }))
}

const putKey = () => client.send(new PutItemCommand({ TableName: 'map', Item: { pk: { S: 'k' } } }))

describe('a table without a card', () => {
  it('gets one that lists no key, if the shard map has none', async () => {
    expect(await store.find(KEY)).toBeUndefined()
    const card = await store.read(KEY, SETTINGS)
    expect(card).toMatchObject({ listed: new Set(), settings: SETTINGS, table: 'log', version: 1 })
    expect(await store.find(KEY)).toEqual(card)
    expect(compared).toEqual([true])
  })

  it('gets one that lists all keys, if the shard map has one', async () => {
    await putKey()
    expect(await store.read(KEY, SETTINGS)).toMatchObject({ listed: 'all' })
    expect(compared).toEqual([false])
  })

  it('has the card of the process that was faster', async () => {
    requireItems = putCard
    expect(await store.read(KEY, SETTINGS)).toMatchObject({ made: '1:other' })
  })

  it('is lost if the card is gone each time when it is read, and there when it is made', async () => {
    await putCard()
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const answer = await next(args)
          return commandName === 'GetItemCommand' ? { ...answer, output: { $metadata: {} } } : answer
        },
      { step: 'initialize' },
    )
    await expect(store.read(KEY, SETTINGS)).rejects.toMatchObject({
      code: 'card.lost',
      details: { table: 'log', shardMap: 'map', reason: 'missing' },
    })
    expect(compared).toHaveLength(3)
  })

  it('is not compared with the options of a process if another one has made the card meanwhile', async () => {
    requireItems = async () => {
      await putCard()
      throw new Error('elsewhere')
    }
    expect(await store.read(KEY, SETTINGS)).toMatchObject({ made: '1:other' })
  })

  it('gets none if its items are elsewhere', async () => {
    requireItems = async () => {
      throw new Error('elsewhere')
    }
    await expect(store.read(KEY, SETTINGS)).rejects.toThrow('elsewhere')
    expect(await item()).toBeUndefined()
  })

  it('gets none if each of its regions would have a shard map', async () => {
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const answer = await next(args)
          const { Table } = answer.output as DescribeTableCommandOutput
          if (commandName !== 'DescribeTableCommand' || Table === undefined) return answer
          const Replicas = [{ RegionName: 'us-east-1' }]
          return { ...answer, output: { ...answer.output, Table: { ...Table, Replicas } } }
        },
      { step: 'initialize', name: 'global' },
    )
    await expect(store.read(KEY, SETTINGS)).rejects.toMatchObject({
      code: 'table.unfit',
      details: { table: 'log', setting: 'shardMap' },
    })
    expect(await item()).toBeUndefined()
  })

  it('gets none if the shard map cannot be written', async () => {
    client.middlewareStack.add(
      (next, { commandName }) =>
        (args) =>
          commandName === 'PutItemCommand' ? Promise.reject(new Error('denied')) : next(args),
      { step: 'initialize', name: 'denied' },
    )
    await expect(store.read(KEY, SETTINGS)).rejects.toThrow('denied')
    expect(compared).toHaveLength(1)
  })

  it('gets none if it has other keys than the options say', async () => {
    const differing = storeOf({ ...OPTIONS, sortKey: 'at' } as ShardedTable)
    await expect(differing.read(KEY, SETTINGS)).rejects.toMatchObject({ code: 'table.differs' })
  })
})

describe('a table with a card', () => {
  it('is not compared again', async () => {
    await putCard()
    const requests: string[] = []
    watchRequests(client, {
      before: ({ operation, input }) => requests.push(`${operation} ${input.ConsistentRead}`),
    })
    expect(await store.read(KEY, SETTINGS)).toMatchObject({ made: '1:other' })
    expect(requests).toEqual(['GetItem true'])
  })

  it('whose keys are bytes has it under bytes', async () => {
    await client.send(createTable('bytes', ['pk:B']))
    const ofBytes = storeOf({ ...OPTIONS, shardMap: 'bytes', name: 'none' } as ShardedTable)
    const key = { B: Buffer.from('k') } as unknown as LogicalKey
    expect(await ofBytes.find(key)).toBeUndefined()
  })
})

describe('a change of the card', () => {
  beforeEach(putCard)

  it('lists a key, if the card has the initial state that the process knows', async () => {
    expect(await store.list(KEY, { listed: new Set() }, 0)).toBe(true)
    expect(await store.list(KEY, { listed: new Set() }, 7)).toBe(false)
    expect(await store.listAll(KEY, 7)).toBe(false)
    expect(await store.find(KEY)).toMatchObject({ listed: new Set(['k']), version: 2 })
    expect(await store.listAll(KEY, 0)).toBe(true)
    expect(await store.find(KEY)).toMatchObject({ listed: 'all' })
  })

  it('does not ask the card for room that a full list does not have', async () => {
    let requests = 0
    watchRequests(client, { before: () => (requests += 1) })
    const listed = new Set(Array.from({ length: 1_001 }, (_, at) => `k${at}`))
    expect(await store.list(KEY, { listed }, 0)).toBe(false)
    expect(requests).toBe(0)
  })

  it('takes a key off the card, or replaces the list, if the card has not changed since', async () => {
    await store.list(KEY, { listed: new Set() }, 0)
    await store.unlist(KEY, 1)
    expect(await store.find(KEY)).toMatchObject({ listed: new Set(['k']) })
    await store.unlist(KEY, 2)
    expect(await store.find(KEY)).toMatchObject({ listed: new Set(), version: 3 })
    expect(await store.listOnly(KEY, [KEY], 2)).toBe(false)
    expect(await store.listOnly(KEY, [KEY], 3)).toBe(true)
  })

  it('of the initial state is made by one process', async () => {
    const next = announce(FIRST, 4, 10)
    expect(await store.replaceInitial(KEY, FIRST, next, CHANGE)).toBe(true)
    expect(await store.replaceInitial(KEY, FIRST, next, CHANGE)).toBe(false)
  })

  it('of the initial state is recognised after a response that was lost', async () => {
    let sent = 0
    client.middlewareStack.add(
      (next) => async (args) => {
        sent += 1
        const result = await next(args)
        if (sent === 1) throw new Error('socket hang up')
        return result
      },
      { step: 'initialize', name: 'lost' },
    )
    await clock.run(async () => {
      expect(await store.replaceInitial(KEY, FIRST, announce(FIRST, 4, 10), CHANGE)).toBe(true)
    })
    expect(sent).toBe(2)
  })

  it('of the initial state is not made if the card has another one', async () => {
    const next = announce(FIRST, 4, 10)
    expect(await store.replaceInitial(KEY, firstState(2, 5), next, CHANGE)).toBe(false)
    await client.send(new DeleteItemCommand({ TableName: 'map', Key: { pk: { S: CARD_KEY } } }))
    expect(await store.replaceInitial(KEY, FIRST, next, CHANGE)).toBe(false)
  })

  it('that lists a key is not taken for another one whose response was lost', async () => {
    client.middlewareStack.add(
      () => () =>
        Promise.reject(
          Object.assign(new Error('refused'), { name: 'ConditionalCheckFailedException', $fault: 'client' }),
        ),
      { step: 'initialize', name: 'refused' },
    )
    expect(await store.listAll(KEY, 0)).toBe(false)
  })

  it('fails with the error of the service', async () => {
    client.middlewareStack.add(
      () => () => Promise.reject(Object.assign(new Error('denied'), { $fault: 'client' })),
      { step: 'initialize', name: 'denied' },
    )
    await expect(store.listAll(KEY, 0)).rejects.toThrow('denied')
    await expect(store.find(KEY)).rejects.toThrow('denied')
  })
})

describe('a shard map that does not exist', () => {
  it('is named', async () => {
    const missing = storeOf({ ...OPTIONS, shardMap: 'gone' } as ShardedTable)
    for (const request of [() => missing.find(KEY), () => missing.listAll(KEY, 0)]) {
      await expect(request()).rejects.toMatchObject({
        code: 'shard-map.missing',
        details: { table: 'log', shardMap: 'gone' },
        cause: { name: 'ResourceNotFoundException' },
      })
    }
  })
})

describe('a shard map that cannot be read', () => {
  it.each([new Error('denied'), new IsothermError('client.no-answer', 'none', { operation: 'GetItem' })])(
    'says nothing of the table: %s',
    async (error) => {
      client.middlewareStack.add(
        (next, { commandName }) =>
          (args) =>
            commandName === 'GetItemCommand' ? Promise.reject(error) : next(args),
        { step: 'initialize', name: 'unreadable' },
      )
      const missing = storeOf({ ...OPTIONS, name: 'none' } as ShardedTable)
      await expect(missing.find(KEY)).rejects.toBe(error)
    },
  )
})
