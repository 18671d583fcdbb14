import type { HotFileReport, StrategyReport } from '@isotherm/scenarios'
import { expect, it } from 'vitest'
import { resultText } from './result-table.js'

const run: StrategyReport = {
  strategy: 'dynamic',
  title: 'dynamic, from 1',
  table: 'audit_log',
  offered: 10,
  accepted: 10,
  throttledAttempts: 0,
  givenUp: 0,
  shed: 0,
  failed: 0,
  acceptedPerSecond: 10,
  throttledPerSecond: 0,
  throttledShareAfterRamp: 0,
  viralFileAcceptedPerSecond: 10,
  shardsFinal: 1,
  shardChanges: [{ atSeconds: 0, shards: 1 }],
  readBack: {
    pageReadUnits: 1,
    trailReadUnits: 1,
    items: 10,
    missing: 0,
    unacknowledged: 0,
    duplicates: 0,
    outOfOrder: 0,
  },
  series: { offered: [10], accepted: [10], throttled: [0], shards: [1] },
  latestMilliseconds: 0,
  firstFailure: undefined,
}

const textOf = (latestMilliseconds: number) =>
  resultText({
    viralPath: '/sale',
    seed: 1,
    workload: { quietSeconds: 0, rampSeconds: 0, holdSeconds: 1 },
    sharding: {},
    offeredPerSecond: 10,
    runs: [run, { ...run, latestMilliseconds }],
  } as unknown as HotFileReport)

it('says when the machine was too slow to offer the load', () => {
  expect(textOf(1_000)).not.toContain('late')
  expect(textOf(2_340)).toContain('Writes were up to 2.3 s late: this machine is too slow to offer the load')
})
