import { describe, expect, it } from 'vitest'
import { readAccessLog, sampleLogPath } from './access-log.js'
import { drawHotFileChart } from './chart.js'
import type { HotFileSettings } from './hot-file-run.js'
import { rehearseHotFile } from './rehearse.js'
import type { HotFileReport } from './report.js'
import { DEFAULT_SHARDING } from './sharding-parameters.js'
import { STRATEGIES } from './strategy.js'
import { isSound } from './trail-check.js'
import { DEFAULT_WORKLOAD } from './workload-parameters.js'

const settings: HotFileSettings = {
  log: readAccessLog(sampleLogPath),
  workload: {
    ...DEFAULT_WORKLOAD,
    calmSeconds: 1,
    rampSeconds: 3,
    holdSeconds: 12,
    // Two units an item: half the writes produce the same heat.
    itemBytes: 1_500,
    baseWritesPerSecond: 20,
    viralWritesPerSecond: 900,
  },
  sharding: { ...DEFAULT_SHARDING, cooldownSeconds: 2, jitterSeconds: [0.2, 0.5] },
  strategies: STRATEGIES,
  seed: 7,
  tablePrefix: 'test_',
}

function runOf({ runs }: HotFileReport, name: string) {
  const run = runs.find(({ strategy }) => strategy === name)
  if (run === undefined) throw new Error(`no run of ${name}`)
  return run
}

describe('a rehearsal of the hot file', async () => {
  const { report, statistics } = await rehearseHotFile(settings)

  it('pins one key at one partition, whatever is offered', () => {
    const { viralFileAcceptedPerSecond, throttledShareAfterRamp, givenUp } = runOf(report, 'one-key')
    expect(viralFileAcceptedPerSecond).toBeGreaterThan(450)
    expect(viralFileAcceptedPerSecond).toBeLessThan(520)
    expect(throttledShareAfterRamp).toBeGreaterThan(0.3)
    expect(givenUp).toBeGreaterThan(0)
  })

  it('carries what is offered once the dynamic count has grown', () => {
    const { shardsFinal, shardChanges, series, offered, accepted, givenUp } = runOf(report, 'dynamic')
    expect(shardsFinal).toBeGreaterThan(1)
    expect(shardChanges[0]).toEqual({ atSeconds: 0, shards: 1 })
    const last = (values: readonly number[]) => values.slice(-4).reduce((sum, value) => sum + value, 0)
    expect(last(series.throttled)).toBeLessThan(0.01 * last(series.accepted))
    expect(accepted + givenUp).toBe(offered)
  })

  it('reads every trail back: nothing lost, nothing twice, in time order', () => {
    for (const { readBack } of report.runs) {
      expect(readBack.items).toBeGreaterThan(1000)
      expect(isSound(readBack)).toBe(true)
      expect(readBack.unacknowledged).toBe(0)
    }
  })

  it('pays more to read from more shards', () => {
    const one = runOf(report, 'one-key').readBack
    const ten = runOf(report, 'fixed').readBack
    expect(ten.pageReadUnits).toBeGreaterThan(one.pageReadUnits)
  })

  it('is the same to the last figure and the last character of its chart for the same seed, and not for another', async () => {
    const again = await rehearseHotFile(settings)
    expect(again.report).toEqual(report)
    expect(drawHotFileChart(again.report)).toBe(drawHotFileChart(report))
    expect(again.statistics.requests).toBe(statistics.requests)
    const other = await rehearseHotFile({ ...settings, seed: 8 })
    expect(other.report.runs).not.toEqual(report.runs)
  })
})
