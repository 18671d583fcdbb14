import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { firstState } from '../../protocol/states/shard-state.js'
import { ThrottledKey, unitsPerSample } from './throttled-key.js'

const STATE = firstState(1, 1_800_000_000)
const PARTITION = { shards: 1, partitionUnitsPerSecond: 1_000 }

/** What a fleet reports of writes of one unit, of which a share is throttled. Each process writes at an even rate. */
function reportsOf(processes: number, writesPerProcess: number, everyMilliseconds: number, share: number) {
  const random = new SeededRandom(7)
  const total = { samples: 0, offered: 0, accepted: 0, throttled: 0, truly: 0 }
  for (let process = 0; process < processes; process++) {
    const key = new ThrottledKey(STATE, 0, random, 2_000)
    let [offeredSoFar, acceptedSoFar] = [0, 0]
    for (let write = 1; write <= writesPerProcess; write++) {
      offeredSoFar += 1
      if (random.next() >= share) {
        acceptedSoFar += 1
        continue
      }
      total.truly += 1
      const item = { N: String(write) }
      key.throttled(
        { units: 1, item, unitsPerSample: 40 },
        { offeredSoFar, acceptedSoFar },
        write * everyMilliseconds,
      )
      const heat = key.takeSamples()
      if (heat === undefined) continue
      total.samples += heat.samples
      total.offered += heat.offeredUnits
      total.accepted += heat.acceptedUnits
      total.throttled += heat.throttledUnits.reduce((sum, units) => sum + units, 0)
    }
  }
  return total
}

describe('the reports of a fleet', () => {
  it.each([
    { processes: 1, writes: 40_000, every: 1, share: 0.75 },
    { processes: 10, writes: 4_000, every: 10, share: 0.75 },
    { processes: 1_000, writes: 40, every: 250, share: 0.75 },
    { processes: 10_000, writes: 12, every: 5_000, share: 0.75 },
    { processes: 10, writes: 40_000, every: 10, share: 0.02 },
    { processes: 1_000, writes: 400, every: 250, share: 0.02 },
  ])('add up: $processes processes, $share throttled', ({ processes, writes, every, share }) => {
    const { samples, offered, throttled, truly } = reportsOf(processes, writes, every, share)
    expect(samples).toBeCloseTo(truly / 40, -2)
    expect(throttled / truly).toBeGreaterThan(0.8)
    expect(throttled / truly).toBeLessThan(1.2)
    // The rate that they show, beside the true one.
    const ratio = offered / (processes * writes)
    expect(ratio).toBeGreaterThan(0.7)
    expect(ratio).toBeLessThan(1.3)
  })
})

describe('the reports of a busy process', () => {
  it('show the true rate where writes are sent, and throttled, in groups', () => {
    const key = new ThrottledKey(STATE, 0, new SeededRandom(7), 2_000)
    let [offeredSoFar, acceptedSoFar, reportedAt] = [0, 0, 0]
    const reported = { offered: 0, accepted: 0 }
    for (let now = 0; now < 20_000; now += 10) {
      offeredSoFar += 15
      acceptedSoFar += 10
      for (let each = 0; each < 12; each++) {
        key.throttled({ units: 1, item: undefined, unitsPerSample: 20 }, { offeredSoFar, acceptedSoFar }, now)
        if (now < reportedAt + 100) continue
        const heat = key.takeSamples()
        if (heat === undefined) continue
        reportedAt = now
        reported.offered += heat.offeredUnits
        reported.accepted += heat.acceptedUnits
      }
    }
    expect(reported.offered / offeredSoFar).toBeCloseTo(1, 1)
    expect(reported.accepted / acceptedSoFar).toBeCloseTo(1, 1)
  })
})

describe('a report', () => {
  /** A process whose writes are throttled evenly. */
  class Writer {
    readonly #key = new ThrottledKey(STATE, 0, new SeededRandom(7), 2_000)
    #now = 0
    #offeredSoFar = 0
    #acceptedSoFar = 0

    /** Sends throttled writes of one item, and before each of them others that are accepted. @returns what is reported of all */
    reportOf(throttled: number, acceptedBetween: number, item: string) {
      for (let write = 0; write < throttled; write++) {
        this.#now += 10
        this.#offeredSoFar += acceptedBetween + 1
        this.#acceptedSoFar += acceptedBetween
        const own = { offeredSoFar: this.#offeredSoFar, acceptedSoFar: this.#acceptedSoFar }
        this.#key.throttled({ units: 1, item: { S: item }, unitsPerSample: 20 }, own, this.#now)
      }
      const { throttledUnits, offeredUnits, samples } =
        this.#key.takeSamples() ?? expect.fail('no sample is due')
      return {
        samples,
        perThrottled: offeredUnits / throttledUnits.reduce((sum, units) => sum + units, 0),
        classes: throttledUnits.filter((units) => units > 0).length,
      }
    }
  }

  it('is of the time since the one before, however different that was', () => {
    const writer = new Writer()
    expect(writer.reportOf(200, 9, 'first').perThrottled).toBeCloseTo(10, 0)
    for (const item of ['second', 'third']) {
      const { samples, perThrottled, classes } = writer.reportOf(200, 1, item)
      expect(samples).toBe(10)
      expect(perThrottled).toBeCloseTo(2, 6)
      // Nothing of the items that were throttled earlier is left.
      expect(classes).toBe(1)
    }
  })

  it('is never repeated', () => {
    const key = new ThrottledKey(STATE, 0, new SeededRandom(7), 2_000)
    key.throttled(
      { units: 100, item: undefined, unitsPerSample: 20 },
      { offeredSoFar: 1, acceptedSoFar: 0 },
      1,
    )
    expect(key.takeSamples()?.samples).toBeGreaterThan(4)
    expect(key.takeSamples()).toBeUndefined()
  })
})

describe('the units of a sample', () => {
  it('give about twelve samples a second, however hot the key is', () => {
    // 3,000 units a second are throttled, and 1,000 accepted.
    const busy = unitsPerSample({ acceptedUnits: 500, throttledUnits: 1_500 }, 1, PARTITION)
    expect(3_000 / busy).toBeCloseTo(12, 0)
    const small = unitsPerSample({ acceptedUnits: 5, throttledUnits: 15 }, 1, PARTITION)
    expect(3_000 / small).toBeGreaterThan(10)
    expect(3_000 / small).toBeLessThan(15)
  })

  it('are never less than a write, or than a hundredth of what a partition takes', () => {
    expect(unitsPerSample({ acceptedUnits: 5_000, throttledUnits: 1 }, 1, PARTITION)).toBe(10)
    expect(unitsPerSample({ acceptedUnits: 5_000, throttledUnits: 1 }, 20, PARTITION)).toBe(20)
  })
})
