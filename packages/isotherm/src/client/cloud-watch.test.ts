import { CloudWatchClient } from '@aws-sdk/client-cloudwatch'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { cloudWatch } from './cloud-watch.js'

const START = 1_800_000_000_000
const MINUTE = 60_000

/** An engine whose table is written at a rate from 30 s after the start. */
async function setUp({
  unitsPerSecond,
  itemUnits,
  keys,
  seconds,
}: Record<'unitsPerSecond' | 'itemUnits' | 'keys' | 'seconds', number>) {
  const clock = new VirtualClock(START)
  const local = createLocal({ clock, random: new SeededRandom(1) })
  const client = await warmedUp(local.client({ maxAttempts: 1 }))
  const metrics = new CloudWatchClient({ ...local.connection() })
  let asked = 0
  const counted = {
    send: (command: Parameters<CloudWatchClient['send']>[0]) => {
      asked += 1
      return metrics.send(command)
    },
  } as unknown as CloudWatchClient
  await clock.run(async () => {
    const throughput = { read: 10, write: 2_000 }
    await client.send(createTable('log', ['pk', 'at:N'], { units: throughput }))
    await clock.sleep(START + 30_000 - clock.now())
    const text = { S: 'x'.repeat(itemUnits * 1_024 - 100) }
    for (let put = 0; put < (seconds * unitsPerSecond) / itemUnits; put++) {
      const Item = { pk: { S: `key ${put % keys}` }, at: { N: String(put) }, text }
      await client.send(new PutItemCommand({ TableName: 'log', Item })).catch(() => {})
      await clock.sleep((itemUnits * 1_000) / unitsPerSecond)
    }
  })
  const usageOf = cloudWatch(counted)
  const usage = (minutes: number, table = 'log') =>
    usageOf({ table, access: 'write', since: START + 30_000, now: START + minutes * MINUTE })
  return { usage, asked: () => asked, close: () => local.close() }
}

describe('the use of a table by CloudWatch', () => {
  it('is that of a whole minute after the first throttle, once it is complete', async () => {
    const { usage, asked, close } = await setUp({
      unitsPerSecond: 500,
      itemUnits: 50,
      keys: 20,
      seconds: 200,
    })
    try {
      expect(await usage(1)).toBeUndefined()
      expect(await usage(2.9)).toBeUndefined()
      expect(asked()).toBe(0)
      const known = await usage(3)
      expect(known?.unitsPerSecond).toBeCloseTo(500, -1)
      expect(known).not.toHaveProperty('throttles')
      expect(await usage(3, 'arn:aws:dynamodb:us-east-1:000000000000:table/log')).toEqual(known)
      expect(asked()).toBe(2)
    } finally {
      await close()
    }
  })

  it('tells the throttles of a hot partition from those of the table', async () => {
    const hot = await setUp({ unitsPerSecond: 1_800, itemUnits: 300, keys: 1, seconds: 200 })
    const { throttles } = (await hot.usage(4)) ?? {}
    await hot.close()
    expect(throttles?.partition).toBeGreaterThan(10)
    expect(throttles?.table).toBe(0)
    const small = await setUp({ unitsPerSecond: 4_000, itemUnits: 300, keys: 40, seconds: 500 })
    const { throttles: ofTable, unitsPerSecond } = (await small.usage(9)) ?? {}
    await small.close()
    expect(ofTable?.table).toBeGreaterThan(10 * (ofTable?.partition ?? 0))
    expect(unitsPerSecond).toBeGreaterThan(1_900)
  })

  it('is not known for a table that consumes nothing', async () => {
    const { usage, close } = await setUp({ unitsPerSecond: 500, itemUnits: 50, keys: 1, seconds: 1 })
    expect(await usage(3, 'other')).toBeUndefined()
    await close()
  })

  it.each([
    ['something that is no client', () => cloudWatch({} as CloudWatchClient)],
    ['a negative delay', () => cloudWatch(new CloudWatchClient({ region: 'x' }), { delay: '-1s' as never })],
  ])('rejects %s', (_what, make) => {
    expect(make).toThrow(expect.objectContaining({ code: 'options.invalid' }))
  })
})
