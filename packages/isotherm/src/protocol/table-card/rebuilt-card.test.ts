import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal, type Local } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchRequests } from '../../../test/sent-requests.js'
import { keyText, type LogicalKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import { CARD_ATTRIBUTES, cardOf, firstCardItem } from './card-item.js'
import { CARD_KEY, keyLike } from './own-keys.js'
import { RebuildMark, requireRebuildable } from './rebuilt-card.js'

const OPTIONS = { name: 'log', shardMap: 'map', partitionKey: 'pk' } as ShardedTable
const SETTINGS = { partitionKey: 'pk', delimiter: '_', initial: '2' }
const LIKE = key('k')
const CARD = { pk: keyLike(LIKE, CARD_KEY) }
const OVERTAKEN = {
  code: 'rebuild.overtaken',
  details: { table: 'log', shardMap: 'map' },
  cause: { name: 'ConditionalCheckFailedException' },
}

function key(text: string): LogicalKey {
  return { S: text } as LogicalKey
}

let local: Local
let client: DynamoDBClient
let table: Parameters<typeof RebuildMark.put>[0]

beforeEach(async () => {
  local = createLocal({ throttle: false })
  client = local.client()
  await client.send(createTable('map', ['pk']))
  const random = new SeededRandom(1)
  table = { options: OPTIONS, client: client as PhysicalClient, clock: new VirtualClock(), random }
})
afterEach(() => local.close())

async function stored() {
  const { Item = {} } = await client.send(new GetItemCommand({ TableName: 'map', Key: CARD }))
  return Item
}

/** The card of a table that was made with these settings. */
function putCard(settings: Record<string, string>, more = {}) {
  const origin = { made: '1:then', table: 'log', shardMap: 'map' }
  const Item = { ...CARD, ...firstCardItem(settings, origin, true), ...more }
  return client.send(new PutItemCommand({ TableName: 'map', Item }))
}

const begin = (settings: Record<string, string> = SETTINGS) => RebuildMark.put(table, LIKE, settings)

describe('a rebuild of the shard map', () => {
  it('is in the place of the card, so that no process goes by the shard map', async () => {
    await putCard(SETTINGS)
    const { checkpoint } = await begin()
    expect(checkpoint).toBeUndefined()
    const item = await stored()
    expect(() => cardOf(OPTIONS, item)).toThrow(
      expect.objectContaining({ code: 'card.lost', message: expect.stringContaining('is being rebuilt') }),
    )
    // Where there are settings, a key could be listed.
    expect(item).not.toHaveProperty(CARD_ATTRIBUTES.settings)
  })

  it('puts a card that lists the keys that it has found', async () => {
    const mark = await begin()
    await mark.replaceByCard([key('a'), key('b')])
    expect(cardOf(OPTIONS, await stored())).toMatchObject({
      settings: SETTINGS,
      listed: new Set([keyText(key('a')), keyText(key('b'))]),
      acceptedInitials: new Set(),
      table: 'log',
      shardMap: 'map',
      isRebuilt: true,
      version: 1,
    })
    expect(await stored()).not.toHaveProperty(CARD_ATTRIBUTES.rebuilding)
  })

  it('puts a card that lists no key, or all of them if they are too many', async () => {
    await (await begin()).replaceByCard([])
    expect(cardOf(OPTIONS, await stored()).listed).toEqual(new Set())
    await (await begin()).replaceByCard(Array.from({ length: 1_001 }, (_, at) => key(`k${at}`)))
    expect(cardOf(OPTIONS, await stored()).listed).toBe('all')
  })

  it('accepts the initial counts that processes may have had before', async () => {
    await putCard({ ...SETTINGS, initial: '4' }, { [CARD_ATTRIBUTES.acceptedInitials]: { SS: ['1', '4'] } })
    await begin()
    // Another process takes the rebuild over, and has only the mark of the first one.
    await (await begin()).replaceByCard([])
    const card = cardOf(OPTIONS, await stored())
    expect(card.acceptedInitials).toEqual(new Set(['1', '4']))
    expect(card.settings.initial).toBe('2')
  })

  it('accepts the initial count of a table that was never migrated', async () => {
    await putCard({ ...SETTINGS, initial: '4' })
    await (await begin()).replaceByCard([])
    expect(cardOf(OPTIONS, await stored()).acceptedInitials).toEqual(new Set(['4']))
  })

  it.each([true, false])(
    'is refused with other settings than the table has (begun before: %s)',
    async (begun) => {
      await putCard(SETTINGS)
      if (begun) await begin()
      const before = await stored()
      await expect(begin({ ...SETTINGS, delimiter: '#' })).rejects.toMatchObject({ code: 'card.differs' })
      expect(await stored()).toEqual(before)
    },
  )

  it.each([true, false])(
    'takes the place of a card with other settings if it may (begun before: %s)',
    async (begun) => {
      await putCard(SETTINGS)
      if (begun) await begin()
      table = { ...table, replacesCard: true }
      await (await begin({ ...SETTINGS, delimiter: '#' })).replaceByCard([])
      expect(cardOf(OPTIONS, await stored()).settings).toEqual({ ...SETTINGS, delimiter: '#' })
    },
  )
})

describe('a rebuild that has stopped', () => {
  const lastKey = { pk: { S: 'k_1' }, sk: { N: '7' } }

  it.each([
    { pass: 'table', lastKey },
    { pass: 'table', lastKey: undefined },
    { pass: 'keys', lastKey: undefined },
  ] as const)('is resumed where it was: %j', async (checkpoint) => {
    await (await begin()).save(checkpoint)
    expect((await begin()).checkpoint).toEqual(checkpoint)
    // Also by a third process.
    expect((await begin()).checkpoint).toEqual(checkpoint)
  })

  it('is resumed although a map of the service has no order', async () => {
    await (await begin()).save({ pass: 'table', lastKey })
    const reversed = Object.fromEntries(Object.entries(SETTINGS).reverse())
    expect((await begin(reversed)).checkpoint).toEqual({ pass: 'table', lastKey })
  })

  it.each([
    ['more', { ...SETTINGS, sortKey: 'sk' }],
    ['fewer', { partitionKey: 'pk', delimiter: '_' }],
  ])('begins anew with %s settings', async (_what, settings) => {
    await (await begin()).save({ pass: 'table', lastKey })
    expect((await begin(settings as Record<string, string>)).checkpoint).toBeUndefined()
  })

  it('begins anew with another initial count, which other keys have', async () => {
    await (await begin()).save({ pass: 'table', lastKey })
    expect((await begin({ ...SETTINGS, initial: '3' })).checkpoint).toBeUndefined()
  })

  it.each([[{ M: { pass: { S: 'nap' } } }], [{ M: {} }], [{ S: 'table' }]])(
    'begins anew if its checkpoint is of no pass: %j',
    async (checkpoint) => {
      await begin()
      await client.send(
        new PutItemCommand({
          TableName: 'map',
          Item: { ...(await stored()), [CARD_ATTRIBUTES.checkpoint]: checkpoint as AttributeValue },
        }),
      )
      expect((await begin()).checkpoint).toBeUndefined()
    },
  )

  it('writes nothing more once another one has begun', async () => {
    const first = await begin()
    const second = await begin()
    await expect(first.save({ pass: 'keys' })).rejects.toMatchObject(OVERTAKEN)
    await expect(first.replaceByCard([])).rejects.toMatchObject(OVERTAKEN)
    await second.save({ pass: 'keys' })
    await second.replaceByCard([])
    await expect(second.save({ pass: 'table' })).rejects.toMatchObject(OVERTAKEN)
    await expect(second.replaceByCard([key('a')])).rejects.toMatchObject(OVERTAKEN)
    expect(cardOf(OPTIONS, await stored()).listed).toEqual(new Set())
  })

  it('throws an error that says nothing of another one', async () => {
    const mark = await begin()
    client.middlewareStack.add(() => () => Promise.reject(new Error('no network')), {
      step: 'initialize',
      name: 'broken',
    })
    await expect(mark.save({ pass: 'keys' })).rejects.toThrow('no network')
    await expect(mark.replaceByCard([])).rejects.toThrow('no network')
  })
})

describe('a check before a rebuild', () => {
  const check = (settings: Record<string, string> = SETTINGS, shardMap = 'map') =>
    requireRebuildable({ ...table, options: { ...OPTIONS, shardMap } }, LIKE, settings)

  it('accepts a shard map without a card, and no shard map at all', async () => {
    await check()
    await check(SETTINGS, 'gone')
  })

  it('reads the card consistently, and writes nothing', async () => {
    await putCard({ ...SETTINGS, initial: '4' })
    const requests: string[] = []
    watchRequests(client, {
      before: ({ operation, input }) => requests.push(`${operation} ${input.ConsistentRead}`),
    })
    await check()
    expect(requests).toEqual(['GetItem true'])
  })

  it('is refused by the card of a table with other settings', async () => {
    await putCard(SETTINGS)
    await expect(check({ ...SETTINGS, delimiter: '#' })).rejects.toMatchObject({ code: 'card.differs' })
  })

  it.each([new Error('no network'), Object.assign(new Error('denied'), { name: 'AccessDeniedException' })])(
    'fails where the card cannot be read: %s',
    async (error) => {
      client.middlewareStack.add(() => () => Promise.reject(error), { step: 'initialize', name: 'broken' })
      await expect(check()).rejects.toBe(error)
    },
  )
})
