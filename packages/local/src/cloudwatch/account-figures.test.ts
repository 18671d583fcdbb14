import { DeleteTableCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CloudwatchFixture } from './cloudwatch.fixture.js'

let fixture: CloudwatchFixture

beforeEach(() => {
  fixture = new CloudwatchFixture()
})

afterEach(() => fixture.local.close())

const throughput = (ReadCapacityUnits: number, WriteCapacityUnits: number) => ({
  ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits },
})

function create(TableName: string, reads: number, writes: number, indexWrites?: number) {
  const byStatus = { key: ['status'], projected: 'KEYS_ONLY' } as const
  const global =
    indexWrites === undefined ? {} : { by_status: { ...byStatus, units: { read: 1, write: indexWrites } } }
  return fixture.client.send(
    createTable(TableName, ['pk'], { units: { read: reads, write: writes }, global }),
  )
}

const levels = async (metric: string) => {
  const points = await fixture.points(metric, {}, ['Maximum'])
  return points.map(({ Maximum }) => Maximum)
}

describe('the metrics of an account', () => {
  it('do not exist before there is a table', async () => {
    fixture.clock.advance(600_000)
    expect(await levels('AccountMaxReads')).toEqual([])
  })

  it('show its quotas every five minutes', async () => {
    await create('things', 1, 1)
    fixture.clock.advance(300_000)
    expect(await levels('AccountMaxReads')).toEqual([80_000, 80_000])
    expect(await levels('AccountMaxWrites')).toEqual([80_000, 80_000])
    expect(await levels('AccountMaxTableLevelReads')).toEqual([40_000, 40_000])
    expect(await levels('AccountMaxTableLevelWrites')).toEqual([40_000, 40_000])
  })

  it('show in percent how much of them all tables and indexes use together, and the largest one', async () => {
    await create('things', 800, 4000, 8000)
    fixture.clock.advance(300_000)
    await create('others', 1600, 1)
    fixture.clock.advance(300_000)
    const things = { TableName: 'things' }
    await fixture.client.send(new UpdateTableCommand({ ...things, ...throughput(3200, 4000) }))
    fixture.clock.advance(300_000)
    await fixture.client.send(new DeleteTableCommand(things))
    fixture.clock.advance(299_999)
    expect(await levels('AccountProvisionedReadCapacityUtilization')).toEqual([
      801 / 800,
      2401 / 800,
      4801 / 800,
      2,
    ])
    expect(await levels('MaxProvisionedTableReadCapacityUtilization')).toEqual([2, 4, 8, 4])
    expect(await levels('MaxProvisionedTableWriteCapacityUtilization')).toEqual([20, 20, 20, 1 / 400])
    const [point] = await fixture.points('MaxProvisionedTableWriteCapacityUtilization', {}, ['Average'])
    expect(point?.Unit).toBe('Percent')
  })

  it('keep their history, however many tables come and go', async () => {
    await create('large', 1, 4000)
    fixture.clock.advance(1)
    for (let table = 0; table < 400; table++) {
      await create('small', 1, 1)
      await fixture.client.send(new DeleteTableCommand({ TableName: 'small' }))
      fixture.clock.advance(1_000)
    }
    fixture.clock.advance(300_000)
    expect(await levels('MaxProvisionedTableWriteCapacityUtilization')).toEqual([10, 10, 10])
  })
})
