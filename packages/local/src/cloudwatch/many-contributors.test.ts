import { table } from '@isotherm/fixtures'
import { expect, it } from 'vitest'
import { EngineFixture } from '../engine/engine.fixture.js'

const MINUTE = 60_000
const MINUTES = 3_000
const KEYS = 4

it('reports thousands of minutes of a rule over turns of the event loop', async () => {
  const fixture = new EngineFixture({ throttle: false })
  const { clock } = fixture
  const TableName = 'things'
  fixture.ask('CreateTable', table(TableName, ['id']))
  fixture.ask('UpdateContributorInsights', { TableName, ContributorInsightsAction: 'ENABLE' })
  clock.advance(60 * MINUTE)
  const [RuleName] = fixture.ask('DescribeContributorInsights', { TableName }).ContributorInsightsRuleList
  const from = clock.now()
  for (let minute = 0; minute < MINUTES; minute++) {
    // The first key is read once in a minute, and the fourth one four times.
    for (let key = 1; key <= KEYS; key++) {
      for (let read = 0; read < key; read++)
        fixture.ask('GetItem', { TableName, Key: { id: { S: `${key}` } } })
    }
    clock.advance(MINUTE)
  }
  const report = (minutes: number) =>
    fixture.ask('GetInsightRuleReport', {
      RuleName,
      StartTime: from / 1000,
      EndTime: from / 1000 + minutes * 60,
      Period: MINUTES * 60,
      MaxContributorCount: 2,
      OrderBy: 'Maximum',
      Metrics: ['UniqueContributors', 'Maximum', 'Sum'],
    })
  expect(report(100)).not.toBeInstanceOf(Promise)
  const whole = report(MINUTES)
  expect(whole).toBeInstanceOf(Promise)
  const { Contributors, MetricDatapoints, AggregateValue } = await whole
  expect(AggregateValue).toBe(5 * MINUTES)
  expect(Contributors).toMatchObject([
    { Keys: ['4'], ApproximateAggregateValue: 2 * MINUTES },
    { Keys: ['3'], ApproximateAggregateValue: 1.5 * MINUTES },
  ])
  expect(MetricDatapoints).toMatchObject([
    { UniqueContributors: KEYS, Maximum: 2 * MINUTES, Sum: 5 * MINUTES },
  ])
})
