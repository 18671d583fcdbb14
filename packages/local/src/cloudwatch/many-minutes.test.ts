import { table } from '@isotherm/fixtures'
import { expect, it } from 'vitest'
import { EngineFixture } from '../engine/engine.fixture.js'

const DAY = 86_400
const DAYS = 15
const METRIC = {
  Namespace: 'AWS/DynamoDB',
  MetricName: 'ConsumedWriteCapacityUnits',
  Dimensions: [{ Name: 'TableName', Value: 'things' }],
}

/** An engine with a table that was written to once, and whose metrics have points for two weeks. */
function usedEngine() {
  const fixture = new EngineFixture({ throttle: false })
  fixture.ask('CreateTable', table('things', ['id']))
  fixture.ask('PutItem', { TableName: 'things', Item: { id: { S: 'a' } } })
  fixture.clock.advance(DAYS * DAY * 1000)
  const now = fixture.clock.now() / 1000
  const data = (queries: number) =>
    fixture.ask('GetMetricData', {
      MetricDataQueries: Array.from({ length: queries }, (_, number) => ({
        Id: `q${number}`,
        MetricStat: { Metric: METRIC, Period: DAY, Stat: 'Sum' },
      })),
      StartTime: now - DAYS * DAY,
      EndTime: now,
    })
  return { data }
}

it('adds up hundreds of thousands of minutes over turns of the event loop', async () => {
  const { data } = usedEngine()
  const one = data(1)
  // The first and the last day of UTC have a part each.
  expect(one.MetricDataResults[0].Values).toHaveLength(DAYS + 1)
  const many = data(20)
  expect(many).toBeInstanceOf(Promise)
  let turns = 0
  let isDone = false
  void many.finally(() => {
    isDone = true
  })
  for (; !isDone; turns++) await new Promise(setImmediate)
  expect(turns).toBeGreaterThanOrEqual(3)
  const [{ Id, ...points }] = one.MetricDataResults
  expect((await many).MetricDataResults).toEqual(
    Array.from({ length: 20 }, (_, number) => ({ Id: `q${number}`, ...points })),
  )
})
