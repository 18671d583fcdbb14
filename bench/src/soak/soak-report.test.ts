import { describe, expect, it } from 'vitest'
import type { SoakResult } from './soak.js'
import { soakPlan } from './soak-plan.js'
import { soakReport, verdicts } from './soak-report.js'

const spread = { median: 5, tail: 20 }
const PERIOD = {
  ...{ writes: 1_000, repeats: 0, kills: 0, grown: 1, fallen: 1 },
  ...{ engineMemory: 150, proxyMemory: 90, dataMegabytes: 200, machineLoad: 1.5, microsecondsPerWrite: 900 },
  latency: { library: spread, proxy: spread, documents: spread },
}

const GOOD: SoakResult = {
  plan: soakPlan(30),
  periods: Array.from({ length: 10 }, () => PERIOD),
  appends: { acknowledged: 10_000, repeated: 3, notInStream: 0, notExpired: 0 },
  streamRecords: 20_000,
  windows: { queries: 300, found: 5_000, missing: 0, twice: 0, unordered: 0 },
  documents: { documents: 100, writes: 1_000, reads: 200, wrong: 0 },
  left: 0,
}

const unmet = (result: SoakResult) =>
  verdicts(result, 2).flatMap(({ condition, isMet }) => (isMet ? [] : [condition]))

describe('the verdicts of a soak', () => {
  it('are all met by a run that lost nothing and stayed flat', () => {
    expect(unmet(GOOD)).toEqual([])
    expect(soakReport(GOOD)).toContain('| 27 to 30 | 1,000 | 0 |')
  })

  it('are not met by a run without writes', () => {
    const nothing = {
      ...GOOD,
      appends: { ...GOOD.appends, acknowledged: 0 },
      windows: { ...GOOD.windows, found: 0 },
      documents: { ...GOOD.documents, reads: 0 },
    }
    expect(unmet(nothing)).toHaveLength(3)
  })

  it.each([
    ['in the stream', { appends: { ...GOOD.appends, notInStream: 1 } }],
    ['expires', { appends: { ...GOOD.appends, notExpired: 1 } }],
    ['expires', { left: 1 }],
    ['newest appends', { windows: { ...GOOD.windows, missing: 1 } }],
    ['newest appends', { windows: { ...GOOD.windows, twice: 1 } }],
    ['newest appends', { windows: { ...GOOD.windows, unordered: 1 } }],
    ['version', { documents: { ...GOOD.documents, wrong: 1 } }],
  ] as const)('name a loss: %s', (words, changed) => {
    expect(unmet({ ...GOOD, ...changed })).toEqual([expect.stringContaining(words)])
  })

  it('name memory and latency that grow while nothing is killed', () => {
    const growing = GOOD.periods.map((period, index) => ({
      ...period,
      engineMemory: 150 + 15 * index,
      microsecondsPerWrite: 900 + 90 * index,
      latency: { ...period.latency, proxy: { median: 5 + 4 * index, tail: 20 } },
    }))
    expect(unmet({ ...GOOD, periods: growing })).toEqual([
      'memory of `isotherm local`, MB: no growth',
      'processor time of a write in both processes, µs: no growth',
      'median of an append through the proxy, ms: no growth',
    ])
  })

  it('say nothing about latency on a machine that is busy with other work', () => {
    const slower = GOOD.periods.map((period, index) => ({
      ...period,
      machineLoad: 8,
      engineMemory: 150 + 15 * index,
      latency: { ...period.latency, proxy: { median: 5 + 40 * index, tail: 20 } },
    }))
    expect(unmet({ ...GOOD, periods: slower })).toEqual(['memory of `isotherm local`, MB: no growth'])
  })

  it('say nothing about growth in a run that is too short', () => {
    const growing = GOOD.periods.map((period, index) => ({ ...period, engineMemory: 50 + 50 * index }))
    const short = { ...GOOD, plan: soakPlan(2), periods: growing }
    expect(unmet(short)).toEqual([])
    expect(soakReport(short)).toContain('| not compared |  |')
  })
})
