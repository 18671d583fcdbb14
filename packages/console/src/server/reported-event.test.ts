import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { VirtualClock } from '@isotherm/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HeatMap } from '../api/heat-map.js'
import type { ShardMap } from '../api/shards.js'
import { localSource } from '../source/local-source.js'
import { consoleSite } from './console-site.js'

const CHANGED = 1_700_000_000
const EVENT = {
  at: CHANGED * 1_000 + 300,
  table: 'shop',
  key: '/sale',
  from: 1,
  to: 4,
  reason: 'hot',
  by: 'w7',
}
const HEADERS = { 'x-isotherm-console': '1', 'content-type': 'application/json' }

const clock = new VirtualClock(CHANGED * 1_000 + 5_000)
const local = createLocal({ clock, heat: true })
let api = ''

beforeAll(async () => {
  const site = consoleSite({ source: localSource(local), pages: '/nowhere' })
  api = `${(await local.listen({ port: 0, site })).url}/_isotherm/v1`
  const client = local.client()
  for (const name of ['shop', 'shop_shard_map']) await client.send(createTable(name, ['page']))
  const items = [
    {
      page: { S: '/sale' },
      number_of_shards: { N: '4' },
      shard_history: { SS: [`${CHANGED - 100}:1`, `${CHANGED}:4`] },
      last_growth: { S: '1:4:990:2100:0' },
    },
    {
      page: { S: 'isotherm:card' },
      format: { N: '1' },
      version: { N: '3' },
      settings: { M: { delimiter: { S: '#' }, suffix: { S: 'random' }, initial: { S: '2' } } },
      listed_keys: { SS: ['/sale'] },
    },
  ]
  for (const Item of items) await client.send(new PutItemCommand({ TableName: 'shop_shard_map', Item }))
  await client.send(new PutItemCommand({ TableName: 'shop', Item: { page: { S: '/sale#2' } } }))
  clock.advance(2_000)
})
afterAll(() => local.close())

const report = async (body: object, headers: Record<string, string> = HEADERS) => {
  const answer = await fetch(`${api}/events`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, text: await answer.text() }
}
const asked = async <Of>(path: string) => (await (await fetch(`${api}/${path}`)).json()) as Of
const shards = () => asked<ShardMap>('shards?table=shop')
const heat = () => asked<HeatMap>(`heat?table=shop&last=60&to=${CHANGED * 1_000 + 6_000}`)

describe('a shard map', () => {
  it('says why its keys have their counts, and has the card of the table', async () => {
    expect(await shards()).toMatchObject({
      card: { settings: { delimiter: '#', suffix: 'random' }, initial: 2, listed: 1, version: 3 },
      keys: [{ key: '/sale', changes: [{ from: 1, to: 4, reason: 'hot', throttledPerSecond: 2_100 }] }],
    })
  })

  it('says by which delimiter keys are joined', async () => {
    expect(await heat()).toMatchObject({ delimiter: '#', rows: [{ label: '/sale' }] })
  })
})

describe('an application that reports a change', () => {
  it('is named in the shard map and on the time axis, beside the rates that are stored', async () => {
    expect(await report(EVENT)).toEqual({ status: 202, text: '{}' })
    expect((await shards()).keys[0]?.changes[0]).toMatchObject({
      by: 'w7',
      reason: 'hot',
      acceptedPerSecond: 990,
    })
    expect((await heat()).events).toEqual([
      { ...EVENT, type: 'scaled', acceptedPerSecond: 990, throttledPerSecond: 2_100 },
    ])
  })

  it.each([
    [{ ...EVENT, by: '' }, 400, /by is .*Give a text of at most 4096/],
    [{ ...EVENT, to: 1_001 }, 400, /to is 1001. Give a whole number up to 1000/],
    [{ ...EVENT, reason: 'because' }, 400, /reason is .*because.*Give one of hot, quiet/],
    [{ ...EVENT, at: undefined }, 400, /at is missing/],
  ])('is refused with a sentence: %#', async (event, status, message) => {
    expect(await report(event)).toEqual({ status, text: expect.stringMatching(message) })
  })

  it('is no page of another origin', async () => {
    expect(await report(EVENT, { 'content-type': 'application/json' })).toMatchObject({ status: 403 })
    expect(await report(EVENT, { ...HEADERS, origin: 'http://attacker.example' })).toMatchObject({
      status: 403,
    })
    expect((await fetch(`${api}/events`)).status).toBe(405)
  })
})
