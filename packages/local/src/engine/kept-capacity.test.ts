import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateTableCommand, DescribeTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { table } from '@isotherm/fixtures'
import { VirtualClock } from '@isotherm/runtime'
import { afterAll, describe, expect, it } from 'vitest'
import { createLocal } from '../local.js'
import { EngineFixture, REGION } from './engine.fixture.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-kept-capacity-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A peak is measured over one second, and counts after half a minute. Nothing splits for heat or is throttled. */
const GROWTH_ALONE = {
  capacity: {
    heatSeconds: Number.POSITIVE_INFINITY,
    onDemandPeakSeconds: 1,
    onDemandGrowthSeconds: 30,
  },
  throttle: false,
}
const UNITS_EACH = 400
const FILLER = 'x'.repeat(UNITS_EACH * 1024 - 50)

const events = table('events', ['id'])

const put = (id: string) => ({
  TableName: 'events',
  Item: { id: { S: id }, filler: { S: FILLER } },
})

/** Writes evenly to all partitions. */
function write(fixture: EngineFixture, seconds: number, unitsPerSecond: number): void {
  const each = UNITS_EACH / unitsPerSecond
  for (let request = 0; request * each < seconds; request++) {
    fixture.ask('PutItem', put(`key-${request % 100}`))
    fixture.clock.advance(each * 1000)
  }
}

const warmWrites = (fixture: EngineFixture): number =>
  fixture.ask('DescribeTable', { TableName: 'events' }).Table.WarmThroughput.WriteUnitsPerSecond

describe('the peak of an on-demand table', () => {
  it('is known after a restart', () => {
    const fixture = new EngineFixture(GROWTH_ALONE)
    fixture.ask('CreateTable', events)
    write(fixture, 33, 3600)
    const warm = warmWrites(fixture)
    expect(warm).toBeGreaterThan(7000)
    fixture.restart()
    expect(warmWrites(fixture)).toBe(warm)
  })

  it('counts on time when the restart came before', () => {
    const fixture = new EngineFixture(GROWTH_ALONE)
    fixture.ask('CreateTable', events)
    write(fixture, 5, 3600)
    fixture.restart()
    expect(warmWrites(fixture)).toBe(4000)
    fixture.clock.advance(30_000)
    write(fixture, 5, 400)
    expect(warmWrites(fixture)).toBeGreaterThan(7000)
    expect(fixture.engine.partitions(REGION, 'events')?.length).toBe(8)
  })

  it('is shown in whole units, which clients in other languages need', () => {
    const fixture = new EngineFixture({
      ...GROWTH_ALONE,
      capacity: { ...GROWTH_ALONE.capacity, onDemandPeakSeconds: 7 },
    })
    fixture.ask('CreateTable', events)
    write(fixture, 50, 3600)
    const warm = warmWrites(fixture)
    expect(warm).toBeGreaterThan(7000)
    expect(Number.isInteger(warm)).toBe(true)
    const WarmThroughput = { WriteUnitsPerSecond: warm }
    expect(fixture.ask('UpdateTable', { TableName: 'events', WarmThroughput })).toHaveProperty(
      'TableDescription',
    )
    expect(warmWrites(fixture)).toBe(warm)
  })

  it('is kept in the other mode, and when the table returns to on-demand mode', () => {
    const fixture = new EngineFixture(GROWTH_ALONE)
    fixture.ask('CreateTable', events)
    write(fixture, 33, 3600)
    const warm = warmWrites(fixture)
    fixture.ask('UpdateTable', {
      TableName: 'events',
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    })
    expect(warmWrites(fixture)).toBe(warm)
    fixture.ask('UpdateTable', { TableName: 'events', BillingMode: 'PAY_PER_REQUEST' })
    expect(warmWrites(fixture)).toBe(warm)
  })

  it('is removed with its table', () => {
    const fixture = new EngineFixture(GROWTH_ALONE)
    fixture.ask('CreateTable', events)
    write(fixture, 33, 3600)
    fixture.ask('DeleteTable', { TableName: 'events' })
    expect([...fixture.storage.records()].filter(([name]) => name.includes('events'))).toEqual([])
    fixture.restart()
    fixture.ask('CreateTable', events)
    expect(warmWrites(fixture)).toBe(4000)
    expect(fixture.engine.partitions(REGION, 'events')?.length).toBe(4)
  })

  it('is restored by a snapshot', () => {
    const fixture = new EngineFixture(GROWTH_ALONE)
    fixture.ask('CreateTable', events)
    write(fixture, 33, 3600)
    const [snapshot, warm] = [fixture.engine.snapshot(), warmWrites(fixture)]
    fixture.ask('DeleteTable', { TableName: 'events' })
    fixture.engine.restore(snapshot)
    expect(warmWrites(fixture)).toBe(warm)
  })

  it('is written when it has grown by a tenth, not for every slightly higher peak', () => {
    const fixture = new EngineFixture({
      ...GROWTH_ALONE,
      // No peak counts yet, so nothing is split.
      capacity: { ...GROWTH_ALONE.capacity, onDemandGrowthSeconds: 10_000 },
    })
    let written = 0
    const { write: keep } = fixture.storage
    fixture.storage.write = (changes, records) => {
      written += records?.filter(({ name }) => name.startsWith('capacity/')).length ?? 0
      return keep.call(fixture.storage, changes, records)
    }
    fixture.ask('CreateTable', events)
    const made = written
    for (let step = 0; step < 20; step++) write(fixture, 3, 2400 + step * 100)
    expect(written - made).toBeGreaterThan(2)
    expect(written - made).toBeLessThan(8)
  })

  it('is stored in a data directory', async () => {
    const data = join(folder, 'peaks')
    const clock = new VirtualClock(1_800_000_000_000)
    const local = createLocal({ ...GROWTH_ALONE, data, clock })
    const client = local.client()
    await client.send(new CreateTableCommand(events))
    for (let request = 0; request < 20; request++) {
      await client.send(new PutItemCommand(put('one')))
      clock.advance(100)
    }
    await local.close()
    clock.advance(30_000)
    const later = createLocal({ ...GROWTH_ALONE, data, clock })
    const laterClient = later.client()
    for (let request = 0; request < 2; request++) {
      clock.advance(1000)
      await laterClient.send(new PutItemCommand(put('one')))
    }
    const { Table } = await laterClient.send(new DescribeTableCommand({ TableName: 'events' }))
    expect(Table?.WarmThroughput?.WriteUnitsPerSecond).toBe(8000)
    expect(later.partitions('events').length).toBe(8)
    await later.close()
  })
})

describe('classic shares', () => {
  const classic = {
    capacity: { model: 'classic', partitionBytes: 40_000, partitionBurstSeconds: 1 },
  } as const

  /** Creates a table whose first partition is split for size several times. @returns its shares. */
  function cutUnevenly(fixture: EngineFixture): void {
    fixture.ask('CreateTable', table('events', ['id', 'at'], { units: 100 }))
    for (let item = 0; item < 160; item++) {
      const Item = {
        id: { S: 'one' },
        at: { S: String(item).padStart(4, '0') },
        text: { S: 'x'.repeat(900) },
      }
      fixture.ask('PutItem', { TableName: 'events', Item })
      fixture.clock.advance(1000)
    }
  }

  const shares = (fixture: EngineFixture) =>
    fixture.engine.tables.map(({ capacity }) => capacity.partitions.shares?.write)[0] ?? []

  it('that splits have halved are the same after a restart', () => {
    const fixture = new EngineFixture(classic)
    cutUnevenly(fixture)
    const before = shares(fixture)
    expect(before.length).toBeGreaterThan(2)
    expect(new Set(before).size).toBeGreaterThan(1)
    fixture.restart()
    expect(shares(fixture)).toEqual(before)
  })

  it('are equal again after a change of throughput, also after a restart', () => {
    const fixture = new EngineFixture(classic)
    cutUnevenly(fixture)
    const change = (units: number) =>
      fixture.ask('UpdateTable', {
        TableName: 'events',
        ProvisionedThroughput: { ReadCapacityUnits: 100, WriteCapacityUnits: units },
      })
    change(200)
    change(100)
    expect(new Set(shares(fixture)).size).toBe(1)
    fixture.restart()
    expect(new Set(shares(fixture)).size).toBe(1)
  })

  it('are divided evenly when the stored ones have another throughput or another number of partitions', () => {
    const fixture = new EngineFixture(classic)
    cutUnevenly(fixture)
    const count = shares(fixture).length
    const name = `capacity/${REGION}/events`
    const [, kept] = [...fixture.storage.records()].find(([each]) => each === name) ?? []
    for (const wrong of [[100], new Array(count).fill(1)]) {
      const value = { ...(kept as object), shares: { read: wrong, write: wrong } }
      fixture.storage.write([], [{ name, value }])
      fixture.restart()
      expect(shares(fixture)).toEqual(new Array(count).fill(100 / count))
    }
  })

  it('are divided evenly in data from before they were stored', () => {
    const fixture = new EngineFixture(classic)
    cutUnevenly(fixture)
    const count = shares(fixture).length
    fixture.storage.write([], [{ name: `capacity/${REGION}/events`, value: undefined }])
    fixture.restart()
    expect(shares(fixture)).toEqual(new Array(count).fill(100 / count))
  })
})
