import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { VirtualClock } from '@isotherm/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScaledEvent } from '../api/heat-map.js'
import { localSource } from '../source/local-source.js'
import { joinedEvents, ShardMaps } from './shard-maps.js'

const clock = new VirtualClock(1_000_000)
const local = createLocal({ clock, heat: true })
const client = local.client()
const source = localSource(local)
const shards = new ShardMaps(source)

const write = (page: string, shard_history: string[]) =>
  client.send(
    new PutItemCommand({
      TableName: 'shop_shard_map',
      Item: { page: { S: page }, shard_history: { SS: shard_history } },
    }),
  )
const readUnits = () =>
  local.partitions('shop_shard_map').reduce((sum, { read }) => sum + read.consumedUnits, 0)

beforeAll(async () => {
  for (const name of ['shop', 'shop_shard_map', 'visits']) await client.send(createTable(name, ['page']))
  await write('/sale', ['1000:4', '900:1', 'nonsense', '950:2'])
  await write('isotherm:card', ['900:1', '950:2'])
})
afterAll(() => local.close())

describe('the changes in a shard map', () => {
  it('are events, in the order of their times', async () => {
    expect(await shards.changes('us-east-1', 'shop')).toEqual([
      { type: 'scaled', at: 950_000, table: 'shop', key: '/sale', from: 1, to: 2, reason: 'shard map' },
      { type: 'scaled', at: 1_000_000, table: 'shop', key: '/sale', from: 2, to: 4, reason: 'shard map' },
    ])
    expect(await shards.changes('us-east-1', 'visits')).toEqual([])
  })

  it('are read again only after the shard map was written', async () => {
    await clock.run(() => clock.sleep(2_000))
    await shards.changes('us-east-1', 'shop')
    await clock.run(() => clock.sleep(2_000))
    const before = readUnits()
    await shards.changes('us-east-1', 'shop')
    expect(readUnits()).toBe(before)
    await write('/news', ['1003:1', '1004:2'])
    await clock.run(() => clock.sleep(2_000))
    expect(await shards.changes('us-east-1', 'shop')).toContainEqual(
      expect.objectContaining({ key: '/news', to: 2 }),
    )
    expect(readUnits()).toBeGreaterThan(before)
  })

  it('are those of before while the shard map cannot be read', async () => {
    let isBroken = false
    const shaky = new ShardMaps({
      ...source,
      shardMap: async (...of) => {
        if (isBroken) throw new Error('ThrottlingException')
        return source.shardMap(...of)
      },
    })
    const events = await shaky.changes('us-east-1', 'shop')
    isBroken = true
    await write('/late', ['1010:1', '1011:2'])
    await clock.run(() => clock.sleep(2_000))
    expect(events.length).toBeGreaterThan(0)
    expect(await shaky.changes('us-east-1', 'shop')).toEqual(events)
    isBroken = false
    expect(await shaky.changes('us-east-1', 'shop')).toHaveLength(events.length + 1)
  })

  it('are those of before while nothing says whether the shard map was written', async () => {
    let isBroken = false
    const shaky = new ShardMaps({
      ...source,
      heat: async (...of) => {
        if (isBroken) throw new Error('ECONNREFUSED')
        return source.heat(...of)
      },
    })
    const events = await shaky.changes('us-east-1', 'shop')
    isBroken = true
    await clock.run(() => clock.sleep(2_000))
    expect(events.length).toBeGreaterThan(0)
    expect(await shaky.changes('us-east-1', 'shop')).toEqual(events)
  })

  it('give way to the event of the process that made them, which has the reason', () => {
    const stored: ScaledEvent = {
      type: 'scaled',
      at: 5_000,
      table: 't',
      key: 'k',
      from: 1,
      to: 2,
      reason: 'shard map',
    }
    const reported: ScaledEvent = { ...stored, at: 5_700, reason: 'hot' }
    expect(joinedEvents([reported], [stored])).toEqual([reported])
    expect(joinedEvents([{ ...reported, to: 4 }], [stored])).toHaveLength(2)
  })
})
