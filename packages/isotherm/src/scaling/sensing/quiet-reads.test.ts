import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { NO_HEAT, type QuietReads } from '../../protocol/index.js'
import { atRest, type ShardState } from '../../protocol/states/shard-state.js'
import { isDueForDecision, quietReadsOf, quietReport, readRateOf } from './quiet-reads.js'

const NOW = 1_800_000_000

function stateWith(quietReads?: QuietReads, lastBusy = 0): ShardState {
  const fleet = {
    heat: NO_HEAT,
    lastGrowth: undefined,
    lastBusy,
    ...(quietReads === undefined ? {} : { quietReads }),
  }
  return atRest({ shards: 8, lastUpdated: NOW, history: [`${NOW}:8`], fleet })
}

/** Lets processes look at the key every five seconds for an hour. @returns the sum, and how many reports it has */
function reported(processes: number, unitsPerSecond: number, seed: number) {
  const random = new SeededRandom(seed * 0x9e37_79b1)
  let reads: QuietReads | undefined
  let reports = 0
  for (let second = 5; second <= 3_600; second += 5) {
    for (let index = 0; index < processes; index++) {
      const units = (5 * unitsPerSecond) / processes
      const report = quietReport(stateWith(reads), units, { random, epochSeconds: NOW + second })
      if (report === undefined) continue
      reports += 1
      const sum = (reads?.units ?? 0) + Number(report.values[':units']?.N)
      reads = { units: sum, since: reads?.since ?? NOW + second, weighed: 0 }
    }
  }
  return { units: reads?.units ?? 0, reports }
}

describe('the reads of a quiet key', () => {
  it.each([
    [1, 100],
    [1, 10_000],
    [50, 100],
    [300, 400],
    [200, 40_000],
  ])('add up to what %i processes read together, %i units a second', (processes, unitsPerSecond) => {
    const seeds = [1, 2, 3, 4]
    const runs = seeds.map((seed) => reported(processes, unitsPerSecond, seed))
    const share = runs.reduce((sum, { units }) => sum + units, 0) / seeds.length / (3_600 * unitsPerSecond)
    expect(share).toBeGreaterThan(0.93)
    expect(share).toBeLessThan(1.07)
    // About one write in two seconds, whatever the fleet, once its rate is known.
    for (const { reports } of runs) expect(reports).toBeLessThan(3_600 / 2 + 0.05 * processes + 300)
  })

  it('grow by small reports where the clock that began them is ahead', () => {
    const reads = { units: 90_000, since: NOW + 3_600, weighed: 0 }
    const random = { next: () => 0 }
    const report = quietReport(stateWith(reads), 1, { random, epochSeconds: NOW + 60 })
    expect(Number(report?.values[':units']?.N)).toBe(3_000)
  })

  it('start again when the key was busy or its count has changed', () => {
    const reads = { units: 5_000, since: NOW + 10, weighed: 0 }
    expect(quietReadsOf(stateWith(reads))).toBe(reads)
    expect(quietReadsOf(stateWith(reads, NOW + 10))).toBe(reads)
    expect(quietReadsOf(stateWith(reads, NOW + 11))).toBeUndefined()
    expect(quietReadsOf(stateWith({ ...reads, since: NOW - 1 }))).toBeUndefined()
    const random = { next: () => 0 }
    const begun = quietReport(stateWith(reads, NOW + 11), 1, { random, epochSeconds: NOW + 60 })
    expect(begun).toMatchObject({
      update: 'SET #reads = :units, #since = :now REMOVE #weighed',
      values: { ':now': { N: String(NOW + 60) }, ':before': { N: String(reads.since) } },
    })
  })

  it('are enough for a decision after four reports, and then when they have doubled', () => {
    const due = (units: number, weighed: number) => isDueForDecision({ units, weighed, since: NOW })
    expect([due(3_000, 0), due(4_000, 0), due(7_000, 4_000), due(8_000, 4_000)]).toEqual([
      false,
      true,
      false,
      true,
    ])
  })

  it('are reported in whole amounts, and the rest by chance', () => {
    const reportedUnits = (units: number, chance: number) =>
      quietReport(stateWith(), units, { random: { next: () => chance }, epochSeconds: NOW })?.values[':units']
        ?.N
    expect([reportedUnits(2_500, 0.49), reportedUnits(2_500, 0.51)]).toEqual(['3000', '2000'])
    expect([reportedUnits(500, 0.49), reportedUnits(500, 0.51)]).toEqual(['1000', undefined])
  })

  it('begin once, and are added to the sum that was read and to no other', () => {
    const sure = { random: { next: () => 0 }, epochSeconds: NOW + 60 }
    const begun = quietReport(stateWith(), 1_000, sure)
    expect(begun).toEqual({
      update: 'SET #reads = :units, #since = :now REMOVE #weighed',
      names: { '#reads': 'quiet_reads', '#since': 'quiet_since', '#weighed': 'quiet_weighed' },
      values: { ':units': { N: '1000' }, ':now': { N: String(NOW + 60) } },
      condition: 'attribute_not_exists(#since)',
    })
    const reads = { units: 5_000, since: NOW + 10, weighed: 0 }
    expect(quietReport(stateWith(reads), 1_000, sure)).toEqual({
      update: 'ADD #reads :units',
      names: { '#reads': 'quiet_reads', '#since': 'quiet_since' },
      values: { ':units': { N: '1000' }, ':since': { N: String(NOW + 10) } },
      condition: '#since = :since',
    })
    expect(quietReport(stateWith(reads, NOW + 11), 1_000, sure)?.condition).toBe('#since = :before')
  })

  it('begin for a key of which the fleet has said nothing', () => {
    const silent = atRest({ shards: 8, lastUpdated: NOW, history: [`${NOW}:8`] })
    expect(silent.fleet).toBeUndefined()
    expect(quietReadsOf(silent)).toBeUndefined()
    const sure = { random: { next: () => 0 }, epochSeconds: NOW + 60 }
    expect(quietReport(silent, 1_000, sure)).toEqual(quietReport(stateWith(), 1_000, sure))
  })

  it('have a rate over a minute at least', () => {
    const reads = { units: 6_000, since: NOW, weighed: 0 }
    expect([readRateOf(reads, NOW), readRateOf(reads, NOW + 60), readRateOf(reads, NOW + 600)]).toEqual([
      100, 100, 10,
    ])
  })
})
