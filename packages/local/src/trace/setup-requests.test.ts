import { table } from '@isotherm/fixtures'
import { describe, expect, it } from 'vitest'
import { REAL_DELAYS } from '../catalog/control-plane-delays.js'
import { EngineFixture } from '../engine/engine.fixture.js'
import { setupRequests } from './setup-requests.js'

const TableName = 'things'
const THINGS = table(TableName, ['id'], { global: { byStatus: ['status', 'id'] } })
const UNITS = { ReadCapacityUnits: 200, WriteCapacityUnits: 200 }
const toProvisioned = {
  TableName,
  BillingMode: 'PROVISIONED',
  ProvisionedThroughput: UNITS,
  GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'byStatus', ProvisionedThroughput: UNITS } }],
}

/** The table that the requests of the setup create in another engine. */
function recreated(fixture: EngineFixture) {
  const other = new EngineFixture()
  for (const each of fixture.engine.tables) {
    for (const { operation, request } of setupRequests(each)) other.ask(operation, request)
  }
  return other.ask('DescribeTable', { TableName }).Table
}

function withIndex(more: object) {
  return {
    ...THINGS,
    GlobalSecondaryIndexes: THINGS.GlobalSecondaryIndexes?.map((each) => ({ ...each, ...more })),
  }
}

describe('the requests that create the tables of a trace', () => {
  it('are accepted for a table that had an on-demand maximum before it was provisioned', () => {
    const fixture = new EngineFixture()
    const maximum = { OnDemandThroughput: { MaxReadRequestUnits: 50, MaxWriteRequestUnits: 50 } }
    fixture.ask('CreateTable', { ...withIndex(maximum), ...maximum })
    fixture.ask('UpdateTable', toProvisioned)
    const { ProvisionedThroughput, GlobalSecondaryIndexes } = recreated(fixture)
    expect(ProvisionedThroughput).toMatchObject(UNITS)
    expect(GlobalSecondaryIndexes[0].ProvisionedThroughput).toMatchObject(UNITS)
  })

  it('are accepted for a table that was given more throughput than it had been warmed for', () => {
    const fixture = new EngineFixture()
    const warm = {
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      WarmThroughput: { ReadUnitsPerSecond: 100, WriteUnitsPerSecond: 300 },
    }
    fixture.ask('CreateTable', { ...withIndex(warm), ...warm, BillingMode: 'PROVISIONED' })
    fixture.ask('UpdateTable', toProvisioned)
    const both = { ReadUnitsPerSecond: 200, WriteUnitsPerSecond: 300 }
    const { WarmThroughput, GlobalSecondaryIndexes } = recreated(fixture)
    expect(WarmThroughput).toMatchObject(both)
    expect(GlobalSecondaryIndexes[0].WarmThroughput).toMatchObject(both)
  })

  it('leave out an index that is being deleted', () => {
    const fixture = new EngineFixture({ delays: { ...REAL_DELAYS, createTableWithIndexes: 0 } })
    fixture.ask('CreateTable', THINGS)
    const GlobalSecondaryIndexUpdates = [{ Delete: { IndexName: 'byStatus' } }]
    fixture.ask('UpdateTable', { TableName, GlobalSecondaryIndexUpdates })
    expect(recreated(fixture).GlobalSecondaryIndexes).toBeUndefined()
  })
})
