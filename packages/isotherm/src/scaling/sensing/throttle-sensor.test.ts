import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { bareClient } from '../../../test/fake-client.js'
import { FakeTables } from '../../../test/fake-tables.js'
import { TableCapacityReader } from './table-capacity.js'
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
