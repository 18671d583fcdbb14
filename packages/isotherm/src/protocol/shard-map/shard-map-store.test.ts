import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal, type Local } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchRequests } from '../../../test/sent-requests.js'
import type { LogicalKey } from '../../keys/key.js'
import { Suffix } from '../../keys/suffix.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import { announce, move } from '../states/calculated-count.js'
import type { Growth, HeatTotals } from '../states/fleet-signs.js'
import { resize } from '../states/random-count.js'
import { type AtRest, firstState } from '../states/shard-state.js'
import { FLEET_ATTRIBUTES, foundAttribute, heatOfItems } from '../stored-state/shard-map-attributes.js'
import { ShardMapStore } from './shard-map-store.js'

const KEY = { S: 'k' } as LogicalKey
const NOW = 1_800_000_000
const FIRST = firstState(2, NOW)
const GROWTH: Growth = { from: 2, to: 4, acceptedPerSecond: 900, throttledPerSecond: 300, inVain: 0 }
const HEAT: HeatTotals = {
  offeredUnits: 90.4,
  acceptedUnits: 70,
  throttledUnits: [0, 20, 0, 0, 0, 0, 0, 1 / 3],
  samples: 3,
}

let local: Local
let client: DynamoDBClient
let clock: VirtualClock
let store: ShardMapStore

beforeEach(async () => {
  local = createLocal({ throttle: false })
  client = local.client()
  clock = new VirtualClock(NOW * 1_000)
  await client.send(createTable('map', ['pk']))
  store = storeIn('map')
})
afterEach(() => local.close())

function storeIn(shardMap: string): ShardMapStore {
  return new ShardMapStore({
    options: { name: 'log', shardMap, partitionKey: 'pk' } as ShardedTable,
    client: client as PhysicalClient,
    clock,
    random: new SeededRandom(1),
    suffix: new Suffix('log', '_', false),
  })
}

async function item(): Promise<Record<string, AttributeValue> | undefined> {
  const { Item } = await client.send(new GetItemCommand({ TableName: 'map', Key: { pk: { S: 'k' } } }))
  return Item
}

/** Changes the stored item as somebody does by hand. */
async function put(attributes: Record<string, AttributeValue>): Promise<void> {
  await client.send(new PutItemCommand({ TableName: 'map', Item: { ...(await item()), ...attributes } }))
}

describe('an item of the shard map', () => {
  it('is missing before it was created, and created once', async () => {
    expect(await store.read(KEY)).toBeUndefined()
    expect(await store.create(KEY, FIRST)).toEqual(FIRST)
    expect(await store.create(KEY, firstState(9, NOW + 5))).toEqual(FIRST)
    expect(await store.read(KEY)).toEqual(FIRST)
  })

  it('is read consistently', async () => {
    const reads: unknown[] = []
    watchRequests(client, { before: ({ input }) => reads.push(input.ConsistentRead) })
    await store.read(KEY)
    expect(reads).toEqual([true])
  })

  it('may have a key of bytes', async () => {
    await client.send(createTable('bytes', ['pk:B']))
    const ofBytes = storeIn('bytes')
    const key = { B: Buffer.from('k') } as unknown as LogicalKey
    await ofBytes.create(key, FIRST)
    expect(await ofBytes.read(key)).toEqual(FIRST)
  })

  it('is read for no key that no stored key can have', async () => {
    await expect(store.read({ S: 'x'.repeat(2_048) } as LogicalKey)).rejects.toMatchObject({
      code: 'key.too-long',
    })
  })

  it('keeps the attributes of others when its state is replaced, and loses those of the change that has ended', async () => {
    await store.create(KEY, FIRST)
    await put({ owner: { S: 'team' } })
    const announced = announce(FIRST, 4, NOW + 1)
    expect(await store.replace(KEY, FIRST, announced)).toBe(true)
    expect(await item()).toMatchObject({ owner: { S: 'team' }, phase: { S: 'announced' } })
    const atRest = { ...FIRST, lastUpdated: NOW + 2 } as AtRest
    expect(await store.replace(KEY, announced, atRest)).toBe(true)
    expect(await item()).not.toHaveProperty('phase')
    expect(await item()).not.toHaveProperty('to_shards')
    expect(await item()).toMatchObject({ owner: { S: 'team' } })
  })

  it('loses the heat of the count before when its state is replaced, and has the growth that followed from it', async () => {
    await store.create(KEY, FIRST)
    await store.report(KEY, 2, HEAT)
    await store.find(KEY, FIRST, 'hot_item')
    await store.replace(KEY, FIRST, resize(FIRST, 4, NOW + 1), GROWTH)
    const stored = (await item()) ?? {}
    for (const name of [FLEET_ATTRIBUTES.heatOffered, heatOfItems(1), foundAttribute('hot_item')]) {
      expect(stored).not.toHaveProperty(name)
    }
    expect((await store.read(KEY))?.fleet?.lastGrowth).toEqual(GROWTH)
  })

  it('is not replaced if another process was first', async () => {
    await store.create(KEY, FIRST)
    const grown = resize(FIRST, 4, NOW + 1)
    expect(await store.replace(KEY, FIRST, grown)).toBe(true)
    expect(await store.replace(KEY, FIRST, resize(FIRST, 8, NOW + 1))).toBe(false)
    expect(await store.read(KEY)).toMatchObject(grown)
  })

  it('is not replaced by a state that another process has created', async () => {
    await store.create(KEY, FIRST)
    const other = firstState(2, NOW - 5)
    expect(await store.replace(KEY, other, resize(other, 4, NOW + 1))).toBe(false)
    expect(await store.read(KEY)).toEqual(FIRST)
  })

  it('is replaced once if the response was lost and the request is sent again', async () => {
    await store.create(KEY, FIRST)
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
      expect(await store.replace(KEY, FIRST, resize(FIRST, 4, NOW + 1))).toBe(true)
    })
    expect(sent).toBe(2)
  })

  it('is not replaced if there is none', async () => {
    expect(await store.replace(KEY, FIRST, resize(FIRST, 4, NOW + 1))).toBe(false)
    expect(await item()).toBeUndefined()
  })
})

describe('a report of heat', () => {
  it('is added to those before, in whole units, for each class of items', async () => {
    await store.create(KEY, FIRST)
    await store.report(KEY, 2, HEAT)
    const state = await store.report(KEY, 2, HEAT)
    expect(state?.fleet?.heat).toEqual({
      offeredUnits: 180.8,
      acceptedUnits: 140,
      throttledUnits: [0, 40, 0, 0, 0, 0, 0, 0.666],
      samples: 6,
    })
    expect(await item()).not.toHaveProperty(heatOfItems(0))
  })

  it('of another count is not added, and answered with the state that the key has', async () => {
    await store.create(KEY, FIRST)
    expect(await store.report(KEY, 3, HEAT)).toEqual(FIRST)
    expect(await item()).not.toHaveProperty(FLEET_ATTRIBUTES.heatOffered)
  })

  it('creates no item', async () => {
    expect(await store.report(KEY, 2, HEAT)).toBeUndefined()
    expect(await item()).toBeUndefined()
  })
})

describe('the reason why more shards do not help', () => {
  it('is found by one process within an hour', async () => {
    await store.create(KEY, FIRST)
    expect(await store.find(KEY, FIRST, 'hot_item')).toBe(true)
    clock.advance(3_600_000)
    expect(await store.find(KEY, FIRST, 'hot_item')).toBe(false)
    expect(await store.find(KEY, FIRST, 'table_full')).toBe(true)
    clock.advance(1_000)
    expect(await store.find(KEY, FIRST, 'hot_item')).toBe(true)
    expect(await item()).toMatchObject({ [foundAttribute('hot_item')]: { N: String(NOW + 3_601) } })
  })

  it('is of one count', async () => {
    await store.create(KEY, FIRST)
    expect(await store.find(KEY, resize(FIRST, 4, NOW + 1), 'hot_item')).toBe(false)
  })
})

describe('a sign of the fleet', () => {
  it('that a key is busy is the time of the last one, in whole seconds', async () => {
    await store.create(KEY, FIRST)
    clock.advance(1_999)
    await store.tellBusy(KEY)
    expect((await store.read(KEY))?.fleet?.lastBusy).toBe(NOW + 1)
  })

  it('is not written to an item that was deleted', async () => {
    await store.create(KEY, FIRST)
    await client.send(new DeleteItemCommand({ TableName: 'map', Key: { pk: { S: 'k' } } }))
    await store.tellBusy(KEY)
    expect(await store.find(KEY, FIRST, 'hot_item')).toBe(false)
    expect(await item()).toBeUndefined()
  })
})

describe('a shard map that fails', () => {
  it('fails every request with the error of the service', async () => {
    await store.create(KEY, FIRST)
    client.middlewareStack.add(
      () => () => Promise.reject(Object.assign(new Error('denied'), { $fault: 'client' })),
      { step: 'initialize', name: 'denied' },
    )
    const moved = move(announce(FIRST, 4, NOW + 1), NOW + 2)
    for (const failing of [
      () => store.read(KEY),
      () => store.create(KEY, FIRST),
      () => store.replace(KEY, FIRST, moved),
      () => store.report(KEY, 2, HEAT),
      () => store.find(KEY, FIRST, 'hot_item'),
      () => store.tellBusy(KEY),
    ]) {
      await expect(failing()).rejects.toThrow('denied')
    }
  })

  it('is named if it does not exist', async () => {
    const missing = storeIn('gone')
    for (const failing of [() => missing.read(KEY), () => missing.report(KEY, 2, HEAT)]) {
      await expect(failing()).rejects.toMatchObject({ code: 'shard-map.missing' })
    }
  })
})
