import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { TableMetrics, TableUsageRequest } from './table-usage.js'
import { TableUsageReader } from './table-usage-reader.js'

function setUp(metrics: TableMetrics) {
  const clock = new VirtualClock(1_800_000_000_000)
  const asked: TableUsageRequest[] = []
  const failed: unknown[] = []
  const reader = new TableUsageReader({
    table: 'log',
    access: 'write',
    metrics: (request) => {
      asked.push(request)
      return metrics(request)
    },
    clock,
    onFailed: (error) => failed.push(error),
  })
  /** A throttle each second. @returns what is known after the last one */
  const throttled = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      reader.throttled()
      await clock.sleep(1_000)
    }
    return reader.throttled()
  }
  return { clock, asked, failed, throttled }
}

describe('the use of a table', () => {
  it('is requested once a minute while there are throttles, and never waited for', async () => {
    const { clock, asked, throttled } = setUp(async () => ({ unitsPerSecond: 700 }))
    await clock.run(async () => {
      expect(await throttled(0)).toBeUndefined()
      expect(await throttled(150)).toEqual({ unitsPerSecond: 700 })
    })
    expect(asked).toHaveLength(3)
  })

  it('is requested twice a minute until it is known', async () => {
    const { clock, asked, throttled } = setUp(async ({ since, now }) =>
      now - since < 100_000 ? undefined : { unitsPerSecond: 700 },
    )
    await clock.run(async () => {
      expect(await throttled(119)).toBeUndefined()
      expect(await throttled(5)).toEqual({ unitsPerSecond: 700 })
    })
    expect(asked.map(({ now, since }) => now - since)).toEqual([0, 30_000, 60_000, 90_000, 120_000])
  })

  it('of an earlier load proves nothing', async () => {
    const { clock, asked, throttled } = setUp(async ({ now }) => ({ unitsPerSecond: now }))
    await clock.run(async () => {
      expect(await throttled(5)).toBeDefined()
      await clock.sleep(120_000)
      expect(await throttled(0)).toBeUndefined()
    })
    expect(asked.map(({ now, since }) => now - since)).toEqual([0, 0])
  })

  it.each([
    ['fails', () => Promise.reject(new Error('No permission.')), /No permission/],
    ['is no number', async () => ({ unitsPerSecond: Number.NaN }), /unitsPerSecond/],
    ['is negative', async () => ({ unitsPerSecond: -1 }), /unitsPerSecond/],
  ])('that %s is reported once a minute, and is unknown', async (_what, metrics, text) => {
    const { clock, failed, throttled } = setUp(metrics)
    await clock.run(async () => expect(await throttled(90)).toBeUndefined())
    expect(failed).toEqual([
      expect.objectContaining({ message: expect.stringMatching(text) }),
      expect.objectContaining({ message: expect.stringMatching(text) }),
    ])
  })

  it('whose request never ends is requested again', async () => {
    const { clock, asked, throttled } = setUp(() => new Promise(() => {}))
    await clock.run(async () => expect(await throttled(90)).toBeUndefined())
    expect(asked).toHaveLength(2)
  })

  it('is that of one load while there is a throttle each minute', async () => {
    const { clock, asked, throttled } = setUp(async ({ since }) => ({ unitsPerSecond: since }))
    await clock.run(async () => {
      await throttled(0)
      await clock.sleep(60_000)
      await throttled(0)
      await clock.sleep(60_001)
      await throttled(0)
    })
    expect(asked.map(({ now, since }) => now - since)).toEqual([0, 60_000, 0])
  })

  it('of an earlier load is not taken for that of the present one, however late its answer comes', async () => {
    const answers: ((usage: { unitsPerSecond: number }) => void)[] = []
    const { clock, throttled } = setUp(() => new Promise((resolve) => answers.push(resolve)))
    await clock.run(async () => {
      await throttled(0)
      await clock.sleep(120_000)
      await throttled(0)
      answers[0]?.({ unitsPerSecond: 1 })
      expect(await throttled(1)).toBeUndefined()
      answers[1]?.({ unitsPerSecond: 2 })
      expect(await throttled(1)).toEqual({ unitsPerSecond: 2 })
    })
  })

  it('is unknown once it could not be read again', async () => {
    let requests = 0
    const { clock, failed, throttled } = setUp(async () => {
      requests += 1
      if (requests > 1) throw new Error('No permission.')
      return { unitsPerSecond: 700 }
    })
    await clock.run(async () => {
      expect(await throttled(59)).toEqual({ unitsPerSecond: 700 })
      expect(await throttled(5)).toBeUndefined()
    })
    expect(failed).toHaveLength(1)
  })

  it('stays known when a request for that of an earlier load fails late', async () => {
    const fail: ((error: Error) => void)[] = []
    let requests = 0
    const { clock, failed, throttled } = setUp(() => {
      requests += 1
      if (requests > 1) return Promise.resolve({ unitsPerSecond: 2 })
      return new Promise((_resolve, reject) => fail.push(reject))
    })
    await clock.run(async () => {
      await throttled(0)
      await clock.sleep(120_000)
      expect(await throttled(1)).toEqual({ unitsPerSecond: 2 })
      fail[0]?.(new Error('Too late.'))
      expect(await throttled(1)).toEqual({ unitsPerSecond: 2 })
    })
    expect(failed).toHaveLength(1)
  })

  it('has counts of throttles that are numbers, if it has any', async () => {
    const throttles = { partition: 5, table: 0 }
    const good = setUp(async () => ({ unitsPerSecond: 700, throttles }))
    await good.clock.run(async () => expect(await good.throttled(2)).toMatchObject({ throttles }))
    for (const wrong of ['partition', 'table'] as const) {
      const { clock, failed, throttled } = setUp(async () => ({
        unitsPerSecond: 700,
        throttles: { ...throttles, [wrong]: -1 },
      }))
      await clock.run(async () => expect(await throttled(2)).toBeUndefined())
      expect(failed).toEqual([
        expect.objectContaining({ message: expect.stringContaining(`throttles.${wrong}`) }),
      ])
    }
  })
})
