import { addIndex, table } from '@isotherm/fixtures'
import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { longestDelay, REAL_DELAYS } from '../catalog/control-plane-delays.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import { EngineFixture } from './engine.fixture.js'

const NOW = 1_800_000_000_000
/** How far an hour at a speed of 60 is ahead of the machine's clock. */
const AHEAD = 59 * 3_600_000

const TableName = 'orders'
const put = { TableName, Item: { id: { S: '1' } } }
const timeToLive = (Enabled: boolean) => ({
  TableName,
  TimeToLiveSpecification: { Enabled, AttributeName: 'ends' },
})

function engineAt(storage: MemoryStorage, clock: VirtualClock, delays = {}): EngineFixture {
  return new EngineFixture({ storage, clock, delays })
}

describe('data written while the clock was ahead of the present', () => {
  it('can be read and changed at once', () => {
    const storage = new MemoryStorage()
    const ahead = engineAt(storage, new VirtualClock(NOW + AHEAD))
    ahead.ask('CreateTable', table('other', ['id']))
    ahead.ask('CreateTable', table(TableName, ['id']))
    ahead.ask('UpdateTable', addIndex(TableName, 'by-state', ['state']))
    ahead.ask('UpdateTimeToLive', timeToLive(true))
    ahead.ask('PutItem', put)

    const present = engineAt(storage, new VirtualClock(NOW))
    const { Table } = present.ask('DescribeTable', { TableName })
    expect([Table.TableStatus, Table.GlobalSecondaryIndexes[0].IndexStatus]).toEqual(['ACTIVE', 'ACTIVE'])
    expect(present.ask('Scan', { TableName }).Count).toBe(1)
    expect(present.ask('Scan', { TableName: 'other' }).Count).toBe(0)
    expect(present.ask('DescribeTimeToLive', { TableName }).TimeToLiveDescription).toEqual({
      TimeToLiveStatus: 'ENABLED',
      AttributeName: 'ends',
    })
    present.ask('UpdateTimeToLive', timeToLive(false))
    present.ask('DeleteTable', { TableName })
  })

  it('ends its changes as late as a change can take', () => {
    const storage = new MemoryStorage()
    const ahead = engineAt(storage, new VirtualClock(NOW + AHEAD), REAL_DELAYS)
    ahead.ask('CreateTable', table(TableName, ['id']))

    const clock = new VirtualClock(NOW)
    const present = engineAt(storage, clock, REAL_DELAYS)
    const status = () => present.ask('DescribeTable', { TableName }).Table.TableStatus
    expect(status()).toBe('CREATING')
    clock.advance(longestDelay(REAL_DELAYS))
    expect(status()).toBe('ACTIVE')
  })
})
