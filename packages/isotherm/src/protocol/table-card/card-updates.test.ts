import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal, type Local } from '@isotherm/local'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keyText, type LogicalKey } from '../../keys/key.js'
import { announce, drain, move, settle } from '../states/calculated-count.js'
import { firstState, isChanging } from '../states/shard-state.js'
import { cardOf, firstCardItem } from './card-item.js'
import {
  type CardUpdate,
  listing,
  listingAll,
  listingOnly,
  mayHold,
  replacingInitial,
  setOf,
  unlisting,
} from './card-updates.js'
import type { TableCard } from './table-card.js'

const TABLE = { name: 'log', shardMap: 'map' }
const SETTINGS = { partitionKey: 'pk', initial: '2' }
const ORIGIN = { made: 'then', table: 'log', shardMap: 'map', isRebuilt: undefined }
const CARD = { pk: { S: 'card' } }
const REFUSED = { name: 'ConditionalCheckFailedException' }
const key = (text: string) => ({ S: text }) as LogicalKey
const bytes = (text: string) => ({ B: Buffer.from(text) }) as unknown as LogicalKey

let local: Local
let client: DynamoDBClient

beforeEach(async () => {
  local = createLocal({ throttle: false })
  client = local.client()
  await client.send(createTable('map', ['pk']))
  await put(true)
})
afterEach(() => local.close())

/** Makes the first card of a table whose shard map is empty, or is not. */
function put(isEmpty: boolean) {
  const Item = { ...firstCardItem(SETTINGS, ORIGIN, isEmpty), ...CARD }
  return client.send(new PutItemCommand({ TableName: 'map', Item }))
}

async function card(): Promise<TableCard> {
  const { Item } = await client.send(new GetItemCommand({ TableName: 'map', Key: CARD }))
  return cardOf(TABLE, Item ?? {})
}

async function update(change: CardUpdate): Promise<TableCard> {
  await client.send(new UpdateItemCommand({ TableName: 'map', Key: CARD, ...change }))
  return card()
}

describe('the first card of a table', () => {
  it('lists no key if the shard map is empty, and all keys if it is not', async () => {
    expect(await card()).toMatchObject({
      settings: SETTINGS,
      listed: new Set(),
      initial: firstState(2, 0),
      acceptedInitials: new Set(),
      migration: undefined,
      made: 'then',
      table: 'log',
      shardMap: 'map',
      version: 1,
    })
    await put(false)
    expect((await card()).listed).toBe('all')
  })
})

describe('a key', () => {
  it('is listed once, beside the others, and each time the version grows', async () => {
    await update(listing(key('a'), new Set(), 0))
    await update(listing(key('b'), new Set(), undefined))
    expect(await update(listing(key('b'), new Set(['b']), 0))).toMatchObject({
      listed: new Set([keyText(key('a')), keyText(key('b'))]),
      version: 4,
    })
  })

  it('is listed by its bytes', async () => {
    await update(listing(bytes('a'), new Set(), 0))
    expect((await update(listing(bytes('b'), new Set(), 0))).listed).toEqual(
      new Set([keyText(bytes('a')), keyText(bytes('b'))]),
    )
  })

  it('is not listed in a card that lists all keys, or was read as if it did', async () => {
    await expect(update(listing(key('a'), 'all', 0))).rejects.toMatchObject(REFUSED)
    expect(await update(listingAll(0))).toMatchObject({ listed: 'all', version: 2 })
    await expect(update(listing(key('a'), new Set(), 0))).rejects.toMatchObject(REFUSED)
    expect(await update(listing(key('a'), 'all', 0))).toMatchObject({ listed: 'all', version: 3 })
  })

  it('is not listed beside a thousand others, unless it is one of them', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => key(`key-${at}`))
    await update(listingOnly(many, 1))
    await expect(update(listing(key('more'), new Set(), 0))).rejects.toMatchObject(REFUSED)
    expect((await update(listing(key('key-7'), new Set(), 0))).version).toBe(3)
  })

  it('is taken from the list, if the card was not changed since', async () => {
    await update(listingOnly([key('a'), key('b')], 1))
    await expect(update(unlisting(key('a'), 1))).rejects.toMatchObject(REFUSED)
    expect(await update(unlisting(key('a'), 2))).toMatchObject({
      listed: new Set([keyText(key('b'))]),
      version: 3,
    })
  })

  it('is not listed where there is no card', async () => {
    await client.send(new PutItemCommand({ TableName: 'map', Item: CARD }))
    for (const change of [listing(key('a'), new Set(), 0), listing(key('a'), 'all', 0), listingAll(0)]) {
      await expect(update(change)).rejects.toMatchObject(REFUSED)
    }
  })
})

describe('the list of a card', () => {
  it('is replaced, if the card was not changed since', async () => {
    await update(listingAll(undefined))
    await expect(update(listingOnly([key('a')], 1))).rejects.toMatchObject(REFUSED)
    expect((await update(listingOnly([key('a'), key('b')], 2))).listed).toEqual(
      new Set([keyText(key('a')), keyText(key('b'))]),
    )
    expect(await update(listingOnly([], 3))).toMatchObject({ listed: new Set(), version: 4 })
  })

  it('holds a thousand keys, and one more that may be among them, or 64 KB', () => {
    const keys = (count: number, length: number) =>
      new Set(Array.from({ length: count }, (_, at) => String(at).padStart(length, 'x')))
    expect(mayHold('all')).toBe(true)
    expect(mayHold(keys(1_000, 4))).toBe(true)
    expect(mayHold(keys(1_001, 4))).toBe(false)
    expect(mayHold(keys(64, 1_024))).toBe(true)
    expect(mayHold(keys(64, 1_025))).toBe(false)
  })

  it('is a set of texts or of bytes', () => {
    expect(setOf(key('a'), key('b'))).toEqual({ SS: ['a', 'b'] })
    expect(setOf(bytes('a'), bytes('b'))).toEqual({ BS: [Buffer.from('a'), Buffer.from('b')] })
  })
})

describe('the initial state of a table', () => {
  const FIRST = firstState(2, 0)
  const announced = announce(firstState(2, 100), 5, 200)
  const moved = move(announced, 300)
  const settled = settle(drain(moved, 400), 500)
  const accepted = new Set(['2', '5'])

  it('changes in phases, each of which knows the one before', async () => {
    const first = await update(replacingInitial(FIRST, announced, { accepted, migration: { to: 5 } }, 'one'))
    expect(first).toMatchObject({
      initial: announced,
      acceptedInitials: accepted,
      migration: { to: 5, position: undefined },
      settings: { ...SETTINGS, initial: '2' },
      version: 2,
    })
    const position = { pk: { S: 'k_1' }, sk: { N: '7' } }
    const second = await update(
      replacingInitial(announced, moved, { accepted, migration: { to: 5, position } }, 'two'),
    )
    expect(second).toMatchObject({ initial: moved, migration: { to: 5, position }, version: 3 })
    expect(second.settings.initial).toBe('5')
  })

  it('has nothing of its change once that has ended', async () => {
    const migration = { to: 5, position: { pk: { S: 'k_1' } } }
    await update(replacingInitial(FIRST, moved, { accepted, migration }, 'one'))
    const last = await update(replacingInitial(moved, settled, { accepted, migration: undefined }, 'two'))
    expect(last.initial).toEqual(settled)
    expect(isChanging(last.initial)).toBe(false)
    expect(last.migration).toBeUndefined()
    const { Item = {} } = await client.send(new GetItemCommand({ TableName: 'map', Key: CARD }))
    for (const name of ['phase', 'from_shards', 'to_shards', 'migrating_to', 'migrated_key']) {
      expect(Item).not.toHaveProperty(name)
    }
    expect(Item.last_write).toEqual({ S: 'two' })
    expect(Item.format).toEqual({ N: '2' })
  })

  it('is changed by one process at a time', async () => {
    const change = { accepted, migration: { to: 5 } }
    await update(replacingInitial(FIRST, announced, change, 'one'))
    await expect(update(replacingInitial(FIRST, announced, change, 'other'))).rejects.toMatchObject({
      ...REFUSED,
      // What another process has written tells it from an own write whose response was lost.
      Item: expect.objectContaining({ last_write: { S: 'one' } }),
    })
    await expect(update(replacingInitial(moved, settled, change, 'other'))).rejects.toMatchObject(REFUSED)
  })

  it('is that of the list: a key that was decided on under another one is not listed', async () => {
    await update(replacingInitial(FIRST, announced, { accepted, migration: { to: 5 } }, 'one'))
    for (const asOf of [0, 100]) {
      await expect(update(listing(key('a'), new Set(), asOf))).rejects.toMatchObject(REFUSED)
      await expect(update(listingAll(asOf))).rejects.toMatchObject(REFUSED)
    }
    expect((await update(listing(key('a'), new Set(), announced.lastUpdated))).listed).toEqual(
      new Set([keyText(key('a'))]),
    )
    expect((await update(listingAll(announced.lastUpdated))).listed).toBe('all')
    await expect(update(listing(key('a'), 'all', 100))).rejects.toMatchObject(REFUSED)
  })

  it('is none where there is no card', async () => {
    await client.send(new PutItemCommand({ TableName: 'map', Item: CARD }))
    const change = { accepted, migration: { to: 5 } }
    await expect(update(replacingInitial(FIRST, announced, change, 'one'))).rejects.toMatchObject(REFUSED)
  })
})
