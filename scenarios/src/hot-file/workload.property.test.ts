import { SeededRandom } from '@isotherm/runtime'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AccessRequest, parseAccessLog } from './access-log.js'
import { Workload } from './workload.js'
import { DEFAULT_WORKLOAD, type WorkloadParameters } from './workload-parameters.js'

/** Times never decrease in a log; gaps are from nothing to a day. */
const requests = fc
  .array(fc.record({ gap: fc.nat(86_400), path: fc.constantFrom('/a', '/b', '/c') }), {
    minLength: 1,
    maxLength: 20,
  })
  .map((steps) => {
    let epochSeconds = 0
    return steps.map(({ gap, path }): AccessRequest => {
      epochSeconds += gap
      return { epochSeconds, client: 'c', method: 'GET', path, status: 200, bytes: 1 }
    })
  })

const parameters: fc.Arbitrary<WorkloadParameters> = fc
  .record({
    baseWritesPerSecond: fc.integer({ min: 1, max: 300 }),
    viralWritesPerSecond: fc.integer({ min: 0, max: 300 }),
    calmSeconds: fc.nat(2),
    rampSeconds: fc.nat(2),
    holdSeconds: fc.integer({ min: 1, max: 2 }),
  })
  .map((some) => ({ ...DEFAULT_WORKLOAD, ...some }))

function logOf(some: readonly AccessRequest[]) {
  const lines = some.map(({ epochSeconds, path }) => `${epochSeconds}\tc\tGET\t${path}\t200\t1`)
  return parseAccessLog(['epoch_seconds\tclient\tmethod\tpath\tstatus\tbytes', ...lines].join('\n'))
}

describe('any workload', () => {
  it('has sort keys that are all different and sort, as text, in the order of sending', () => {
    fc.assert(
      fc.property(requests, parameters, fc.integer(), (some, numbers, seed) => {
        const workload = new Workload(logOf(some), numbers, new SeededRandom(seed))
        let newest = ''
        for (let tick = 0; tick < workload.ticks; tick++) {
          for (const { accessedAt } of workload.entriesOf(tick)) {
            expect(accessedAt > newest).toBe(true)
            newest = accessedAt
          }
        }
      }),
      { numRuns: 50 },
    )
  })

  it('sends nothing but requests of the log', () => {
    fc.assert(
      fc.property(requests, parameters, fc.integer(), (some, numbers, seed) => {
        const log = logOf(some)
        const known = new Set(log.requests)
        const workload = new Workload(log, numbers, new SeededRandom(seed))
        for (let tick = 0; tick < workload.ticks; tick++) {
          expect(workload.entriesOf(tick).every(({ request }) => known.has(request))).toBe(true)
        }
      }),
      { numRuns: 50 },
    )
  })
})
