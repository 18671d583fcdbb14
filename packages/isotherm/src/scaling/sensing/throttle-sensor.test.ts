import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { bareClient } from '../../../test/fake-client.js'
import { FakeTables } from '../../../test/fake-tables.js'
import { TableCapacityReader } from './table-capacity.js'
import type { TableUsageReader } from './table-usage-reader.js'
import { ThrottleSensor } from './throttle-sensor.js'

describe('a table that cannot be described', () => {
  it('is told of once for each time that it was asked, however many throttles there are', async () => {
    const tables = new FakeTables()
    const clock = new VirtualClock()
    const told: unknown[] = []
    const reader = new TableCapacityReader(bareClient(tables), clock, 'missing')
    const onDescribeFailed = (error: unknown) => told.push(error)
    const sensor = new ThrottleSensor({
      access: 'write',
      capacity: reader,
      usage: undefined,
      onDescribeFailed,
    })
    const scopes = await Promise.all(Array.from({ length: 10 }, () => sensor.scope([])))
    expect([...new Set(scopes)]).toEqual(['unknown'])
    expect(await sensor.scope([])).toBe('unknown')
    expect(told).toEqual([expect.objectContaining({ name: 'ResourceNotFoundException' })])
    clock.advance(60_000)
    await sensor.scope([])
    await sensor.scope([])
    expect(told).toHaveLength(2)
    expect(tables.requests).toHaveLength(2)
  })
})

describe('a throttle', () => {
  function sensorOf(access: 'read' | 'write', usage?: { readonly unitsPerSecond: number }) {
    const asked: string[] = []
    const sensor = new ThrottleSensor({
      access,
      capacity: {
        read: async () => {
          asked.push('capacity')
          return { mode: 'provisioned', readUnits: 40_000, writeUnits: 4_000, isUpdating: false }
        },
      } as unknown as TableCapacityReader,
      usage:
        usage &&
        ({
          throttled: () => {
            asked.push('usage')
            return usage
          },
        } as unknown as TableUsageReader),
      onDescribeFailed: () => asked.push('failed'),
    })
    return { sensor, asked }
  }

  it('with a reason needs no figures, and is judged at once', () => {
    const { sensor, asked } = sensorOf('write', { unitsPerSecond: 3_900 })
    expect(sensor.scope(['TableWriteKeyRangeThroughputExceeded'])).toBe('partition')
    expect(asked).toEqual([])
  })

  it('without a reason is judged by the capacity and the use of its kind of access', async () => {
    const { sensor, asked } = sensorOf('write', { unitsPerSecond: 3_900 })
    expect(await sensor.scope([])).toBe('table')
    expect(asked).toEqual(['usage', 'capacity'])
    expect(await sensorOf('read', { unitsPerSecond: 3_900 }).sensor.scope([])).toBe('partition')
    expect(await sensorOf('write').sensor.scope([])).toBe('unknown')
  })
})
