import { CreateTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { encodeKey } from '../keyspace/encoded-key.js'
import { createLocal } from '../local.js'
import { HeatHistory } from './heat-history.js'
import { DEFAULT_HEAT } from './heat-parameters.js'

const ORDERS = { region: 'us-east-1', table: 'orders', index: undefined }
const LIMIT = { write: 1_000, read: 3_000 }
const HOUR = 3_600_000

describe('the history of heat', () => {
  it('has four weeks of a busy table in bounded memory, and its newest minutes by the second', () => {
    const history = new HeatHistory(DEFAULT_HEAT, LIMIT)
    const recorder = history.keyspace(ORDERS, [{ name: 'customer', type: 'S' }])
    const key = encodeKey([{ S: 'acme' }], [])
    const weeks = 4 * 7 * 24 * HOUR
    for (let now = 0; now < weeks; now += 120_000) recorder.consumed('write', 0, key, 500, now)
    const span = history.read(ORDERS, { from: 0, to: weeks, columns: 2_000 }, weeks)
    expect(span).toMatchObject({ from: 0, seconds: 1_800 })
    expect(span.columns).toHaveLength(1_344)
    expect(history.cells).toBeLessThan(DEFAULT_HEAT.maxCells)
    const late = history.read(ORDERS, { from: weeks - 300_000, to: weeks, columns: 600 }, weeks)
    expect(late.seconds).toBe(1)
    expect(late.columns).toHaveLength(2)
  })

  it('drops keys of its oldest columns first when a table has more hot keys than fit', () => {
    const history = new HeatHistory({ ...DEFAULT_HEAT, maxCells: 2_000 }, LIMIT)
    const recorder = history.keyspace(ORDERS, [{ name: 'customer', type: 'S' }])
    for (let second = 0; second < 60; second++) {
      for (let key = 0; key < 300; key++) {
        recorder.consumed('write', 0, encodeKey([{ S: `${second}-${key}` }], []), 1, second * 1_000)
      }
    }
    const span = history.read(ORDERS, { from: 58_000, to: 60_000, columns: 600 }, 60_000)
    expect(history.cells).toBeLessThanOrEqual(2_000)
    expect(span.columns.at(-1)?.at).toBe(59_000)
    expect([...(span.columns.at(-1)?.frame.keys ?? [])]).toHaveLength(256)
  })

  it('cuts long keys, and says so', () => {
    const history = new HeatHistory(DEFAULT_HEAT, LIMIT)
    const recorder = history.keyspace(ORDERS, [{ name: 'customer', type: 'S' }])
    recorder.consumed('read', 0, encodeKey([{ S: 'x'.repeat(2_000) }], []), 1, 0)
    const { columns } = history.read(ORDERS, { from: 0, to: 1_000, columns: 1 }, 1_000)
    const [[key] = []] = columns[0]?.frame.keys ?? []
    expect(key).toMatchObject({ values: ['x'.repeat(256)], isCut: true })
  })
})

describe('an engine with a history of heat', () => {
  it('shows the hot key at the limit of its partition, and the requests that were throttled', async () => {
    const clock = new VirtualClock(1_000_000)
    const local = createLocal({ clock, heat: true })
    const client = local.client({ maxAttempts: 1 })
    await clock.run(async () => {
      await client.send(
        new CreateTableCommand({
          TableName: 'orders',
          AttributeDefinitions: [{ AttributeName: 'customer', AttributeType: 'S' }],
          KeySchema: [{ AttributeName: 'customer', KeyType: 'HASH' }],
          BillingMode: 'PAY_PER_REQUEST',
        }),
      )
      for (let second = 0; second < 3; second++) {
        const at = clock.now()
        const puts = Array.from({ length: 1_300 }, () =>
          client
            .send(new PutItemCommand({ TableName: 'orders', Item: { customer: { S: 'acme' } } }))
            .catch(() => {}),
        )
        await Promise.all(puts)
        await clock.sleep(at + 1_000 - clock.now())
      }
    })
    const now = local.now()
    const span = local.heat(ORDERS, { from: now - 10_000, to: now, columns: 100 })
    const [last] = span?.columns.slice(-1) ?? []
    const [[key, cell] = []] = last?.frame.keys ?? []
    expect(key?.values).toEqual(['acme'])
    expect(cell).toMatchObject({ writeUnits: 1_000, partitionThrottles: 300, tableThrottles: 0, peak: 1 })
    expect([...(last?.frame.reasons ?? [])]).toEqual([['TableWriteKeyRangeThroughputExceeded', 300]])
    expect(local.tables()).toEqual([{ region: 'us-east-1', name: 'orders', globalIndexes: [] }])
    await local.reset()
    expect(local.heat(ORDERS, { from: 0, to: local.now(), columns: 100 })?.columns).toEqual([])
    await local.close()
  })

  it('records nothing unless it is asked to', async () => {
    const local = createLocal()
    expect(local.heat(ORDERS, { from: 0, to: 1, columns: 1 })).toBeUndefined()
    await local.close()
  })
})
