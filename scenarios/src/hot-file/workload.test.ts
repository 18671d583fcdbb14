import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type AccessLog, parseAccessLog } from './access-log.js'
import { type AuditEntry, TICK_MILLISECONDS, Workload } from './workload.js'
import { DEFAULT_WORKLOAD, totalSeconds, type WorkloadParameters } from './workload-parameters.js'

const log: AccessLog = parseAccessLog(
  [
    'epoch_seconds\tclient\tmethod\tpath\tstatus\tbytes',
    '100\tc1\tGET\t/hot\t200\t11',
    '100\tc2\tGET\t/a\t200\t12',
    '103\tc3\tPOST\t/b\t404\t13',
    '104\tc4\tGET\t/hot\t304\t0',
  ].join('\n'),
)

const parameters: WorkloadParameters = {
  ...DEFAULT_WORKLOAD,
  baseWritesPerSecond: 100,
  viralWritesPerSecond: 1_000,
  calmSeconds: 5,
  rampSeconds: 10,
  holdSeconds: 10,
}

function entriesBySecond(workload: Workload): AuditEntry[][] {
  const seconds: AuditEntry[][] = []
  for (let tick = 0; tick < workload.ticks; tick++) {
    const second = Math.floor((tick * TICK_MILLISECONDS) / 1_000)
    seconds[second] = [...(seconds[second] ?? []), ...workload.entriesOf(tick)]
  }
  return seconds
}

function meanPerSecond(seconds: readonly AuditEntry[][], from: number, to: number): number {
  return seconds.slice(from, to).flat().length / (to - from)
}

describe('a workload', () => {
  it('is the same for the same seed, and another for another', () => {
    const run = (seed: number) => entriesBySecond(new Workload(log, parameters, new SeededRandom(seed)))
    expect(run(1)).toEqual(run(1))
    expect(run(1)).not.toEqual(run(2))
  })

  it('lasts as long as calm, ramp and hold together', () => {
    const seconds = entriesBySecond(new Workload(log, parameters, new SeededRandom(1)))
    expect(seconds).toHaveLength(totalSeconds(parameters))
  })

  it('sends the base rate while it is calm, half the viral rate on top in mid-ramp, all of it while it holds', () => {
    const seconds = entriesBySecond(new Workload(log, parameters, new SeededRandom(1)))
    // The seed is fixed, so these are fixed too; the tenth is room for random arrivals, not for flakiness.
    expect(Math.abs(meanPerSecond(seconds, 0, 5) / 100 - 1)).toBeLessThan(0.1)
    expect(Math.abs(meanPerSecond(seconds, 5, 15) / 600 - 1)).toBeLessThan(0.1)
    expect(Math.abs(meanPerSecond(seconds, 15, 25) / 1_100 - 1)).toBeLessThan(0.1)
  })

  it('replays the log in its own order, from its beginning again when it ends', () => {
    const calm = { ...parameters, viralWritesPerSecond: 0 }
    const entries = entriesBySecond(new Workload(log, calm, new SeededRandom(1))).flat()
    expect(entries.length).toBeGreaterThan(log.requests.length * 3)
    entries.forEach(({ request }, index) => {
      expect(request).toBe(log.requests[index % log.requests.length])
    })
  })

  it('goes on in time where the looped log begins again', () => {
    const calm = { ...parameters, viralWritesPerSecond: 0 }
    const entries = entriesBySecond(new Workload(log, calm, new SeededRandom(1))).flat()
    expect(entries.slice(0, 5).map(({ accessedAt }) => accessedAt)).toEqual([
      '1970-01-01T00:01:40.000Z#000000000',
      '1970-01-01T00:01:40.000Z#000000001',
      '1970-01-01T00:01:43.000Z#000000002',
      '1970-01-01T00:01:44.000Z#000000003',
      '1970-01-01T00:01:45.000Z#000000004',
    ])
  })

  it('makes the busiest file viral unless another is named, with that file its own requests', () => {
    expect(new Workload(log, parameters, new SeededRandom(1)).viralPath).toBe('/hot')
    const named = entriesBySecond(new Workload(log, parameters, new SeededRandom(1), '/b'))
    const held = named.slice(15).flat()
    const viral = held.filter(({ request }) => request.path === '/b')
    expect(viral.length / held.length).toBeGreaterThan(0.9)
    expect(new Set(viral.map(({ request }) => request))).toEqual(new Set([log.requests[2]]))
  })

  it('refuses a viral file that the log does not have, and names one that it has', () => {
    expect(() => new Workload(log, parameters, new SeededRandom(1), '/nowhere')).toThrow(
      expect.objectContaining({
        code: 'workload.unknown-path',
        message: expect.stringMatching(/'\/nowhere'.*'\/hot'/),
      }),
    )
  })
})
