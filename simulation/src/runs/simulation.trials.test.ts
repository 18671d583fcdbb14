import { describe, expect, inject, it } from 'vitest'
import { findMutant } from '../mutants/find-mutant.js'
import { MUTANTS } from '../mutants/mutants.js'
import { LIBRARY as library } from '../world/library.js'
import { commandOf, type Request, runRequest } from './request.js'
import { drawnSettings, WORKLOADS, type WorkloadName } from './settings.js'
import { NO_ADJUSTMENTS } from './switches.js'

const isLong = inject('trials') === 'many'
const SECONDS = isLong ? 60 : 10

/** Of each workload. */
const SEEDS = isLong ? 3 : 2

/** Of a few seeds: one with sixty processes takes a minute of a busy machine. */
const TIMEOUT_MILLISECONDS = 600_000

/** Planted bugs that a few seeds show. The long run hunts all of them elsewhere (mutants/hunt*.long.test.ts). */
const SAMPLE: readonly string[] = isLong
  ? []
  : [
      'a change settles before its items are moved',
      'a query forgets the last shard',
      'a query of an index forgets a shard',
    ]

function requestOf(seed: number, workloads: readonly WorkloadName[]): Request {
  return { seed, seconds: SECONDS, workloads, adjustments: NO_ADJUSTMENTS }
}

const runs = new Map<string, ReturnType<typeof runRequest>>()

/** The same request makes the same run, so it is run once for all tests that ask for it. */
function runOf(request: Request): ReturnType<typeof runRequest> {
  const name = JSON.stringify(request)
  const run = runs.get(name) ?? runRequest(library, request)
  runs.set(name, run)
  return run
}

async function expectHolds(request: Request): Promise<void> {
  const { violation } = await runOf(request)
  expect(violation?.message, `again: ${commandOf(request)}`).toBeUndefined()
}

describe.each(WORKLOADS)('the guarantees, under the workload %s', (workload) => {
  it(
    'hold',
    async () => {
      const first = inject('seed')
      for (let seed = first; seed < first + SEEDS; seed++) await expectHolds(requestOf(seed, [workload]))
    },
    TIMEOUT_MILLISECONDS,
  )
})

describe('the guarantees, with the client of the SDK itself', () => {
  it('hold', async () => {
    const isSdk = (seed: number) => drawnSettings(seed, SECONDS * 1_000, WORKLOADS).usesSdk
    const seeds = Array.from({ length: 2_000 }, (_, seed) => seed).filter(isSdk)
    expect(seeds.length).toBeGreaterThan(1)
    for (const seed of seeds.slice(0, isLong ? 2 : 1))
      await expectHolds({ ...requestOf(seed, WORKLOADS), seconds: 10 })
  })
})

/** Of all operations of the seeds below. They are mostly those of a run in which many ask for one item at a time. */
const MOST_UNCHECKED = 0.1
const HISTORY_SEEDS = isLong ? 12 : 4

describe('the histories of single items', () => {
  it.each(['shared-items', 'kept-appends'] as const)(
    'are mostly checked, operation by operation: %s',
    async (workload) => {
      let [answered, unchecked] = [0, 0]
      for (let seed = 1; seed <= HISTORY_SEEDS; seed++) {
        const request = requestOf(seed, [workload])
        const { histories, violation } = await runOf(request)
        // A run ends at its first violation, and has few operations then.
        expect(violation?.message, `again: ${commandOf(request)}`).toBeUndefined()
        answered += histories.answered
        unchecked += histories.unchecked
      }
      expect(answered).toBeGreaterThan(isLong ? 10_000 : 200)
      expect(unchecked / answered).toBeLessThan(MOST_UNCHECKED)
    },
    TIMEOUT_MILLISECONDS,
  )
})

const REPEATED_SECONDS = isLong ? 60 : 4
const REPEATED = ['shared-items', 'hot-key-ramp', 'bulk-import', 'kept-appends'] as const

describe('a simulated world', () => {
  it.each(isLong ? REPEATED : REPEATED.slice(0, 2))(
    'is the same for the same seed, under the workload %s',
    async (workload) => {
      const hashes: string[] = []
      for (const seed of isLong ? [11, 12] : [11]) {
        const request = { ...requestOf(seed, [workload]), seconds: REPEATED_SECONDS }
        const first = await runRequest(library, request)
        const second = await runRequest(library, request, true)
        expect(second.hash).toBe(first.hash)
        expect(second.requests).toBe(first.requests)
        hashes.push(first.hash)
      }
      const other = await runRequest(library, { ...requestOf(13, [workload]), seconds: REPEATED_SECONDS })
      expect(hashes).not.toContain(other.hash)
    },
    TIMEOUT_MILLISECONDS,
  )

  it.each(MUTANTS.filter(({ name }) => SAMPLE.includes(name)))('shows that $name', async (mutant) => {
    const { violation } = await findMutant(mutant)
    expect(violation).toBeDefined()
  })
})
