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
const SEEDS = isLong ? 5 : 2

/** A seed with sixty processes takes a minute of a busy machine. */
const TIMEOUT_MILLISECONDS = 600_000

/** Planted bugs that a few seeds show; the long run hunts all of them (mutants/hunt*.long.test.ts). */
const SAMPLE = [
  'a change settles before its items are moved',
  'a query forgets the last shard',
  'a query of an index forgets a shard',
]

function requestOf(seed: number, workloads: readonly WorkloadName[]): Request {
  return { seed, seconds: SECONDS, workloads, adjustments: NO_ADJUSTMENTS }
}

async function expectHolds(request: Request): Promise<void> {
  const { violation } = await runRequest(library, request)
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

interface Found {
  readonly seed: number
  readonly seconds: number
  readonly workloads?: readonly WorkloadName[]
  readonly broke: string
}

/**
 * Seeds that once broke something. They do not prove that it stays fixed: what is drawn for a seed has changed since, and
 * changes with each new setting.
 */
const FOUND: readonly Found[] = [
  { seed: 16, seconds: 120, workloads: ['bulk-import'], broke: 'an acknowledged append is read' },
  { seed: 26, seconds: 120, workloads: ['bulk-import'], broke: 'an append is read once' },
  { seed: 2, seconds: 120, broke: 'a token is new when it is used first' },
  { seed: 1_961_660_485, seconds: 120, broke: 'an acknowledged append is read' },
  { seed: 1_029_161_748, seconds: 120, broke: 'a count changes once a cooldown' },
  { seed: 55_957, seconds: 10, broke: 'a count changes once a cooldown' },
  { seed: 64_590, seconds: 10, broke: 'an acknowledged append is read' },
  { seed: 1322, seconds: 20, broke: 'changes come to their end' },
  { seed: 1346, seconds: 30, workloads: ['bulk-import', 'rotation'], broke: 'an append is read once' },
  { seed: 1197, seconds: 60, broke: 'an append is read once' },
  { seed: 91_729, seconds: 10, broke: 'an append is read once' },
  { seed: 126_488, seconds: 10, broke: 'a transaction is carried out once' },
  { seed: 922, seconds: 10, broke: 'an append is read once' },
  { seed: 2194, seconds: 10, broke: 'only documented errors' },
  { seed: 3256, seconds: 10, broke: 'only documented errors' },
  { seed: 5022, seconds: 20, broke: 'an error has a cause' },
  { seed: 34_578, seconds: 10, broke: 'a single item behaves as if one operation came after the other' },
  { seed: 21_325, seconds: 10, broke: 'a query gives each item once' },
  { seed: 13, seconds: 60, broke: 'neighbours do not scale' },
  // A replica did not have yet what was there before the load: another bug of the simulator.
  { seed: 92_489, seconds: 10, broke: 'an acknowledged append is read' },
  // The application itself put an id twice, by a calendar that was behind: a bug of the simulator.
  { seed: 900114, seconds: 60, broke: 'an append is read once' },
  { seed: 2048, seconds: 60, broke: 'only documented errors' },
  // Processes rolled up one counter at the same time, one of them in vain, as is documented: a bug of the simulator.
  { seed: 4189, seconds: 60, broke: 'only documented errors' },
]

describe('the guarantees, where they did not hold once', () => {
  it.each(FOUND.filter(({ seconds }) => isLong || seconds < 60))(
    'hold for seed $seed, which broke that $broke',
    async ({ seed, seconds, workloads }) => {
      await expectHolds({ ...requestOf(seed, workloads ?? WORKLOADS), seconds })
    },
  )
})

/** Of all operations of the seeds below. They are mostly those of a run in which many ask for one item at a time. */
const MOST_UNCHECKED = 0.1
const HISTORY_SEEDS = isLong ? 25 : 4

describe('the histories of single items', () => {
  it.each(['shared-items', 'kept-appends'] as const)(
    'are mostly checked, operation by operation: %s',
    async (workload) => {
      let [answered, unchecked] = [0, 0]
      for (let seed = 1; seed <= HISTORY_SEEDS; seed++) {
        const { histories } = await runRequest(library, requestOf(seed, [workload]))
        answered += histories.answered
        unchecked += histories.unchecked
      }
      expect(answered).toBeGreaterThan(isLong ? 10_000 : 200)
      expect(unchecked / answered).toBeLessThan(MOST_UNCHECKED)
    },
  )
})

const REPEATED = ['shared-items', 'hot-key-ramp', 'bulk-import', 'kept-appends'] as const

describe('a simulated world', () => {
  it.each(isLong ? REPEATED : REPEATED.slice(0, 2))(
    'is the same for the same seed, under the workload %s',
    async (workload) => {
      for (const seed of isLong ? [11, 12] : [11]) {
        const first = await runRequest(library, requestOf(seed, [workload]))
        const second = await runRequest(library, requestOf(seed, [workload]), true)
        expect(second.hash).toBe(first.hash)
        expect(second.requests).toBe(first.requests)
      }
      const other = await runRequest(library, requestOf(13, [workload]))
      expect(other.hash).not.toBe((await runRequest(library, requestOf(11, [workload]))).hash)
    },
  )

  it.each(MUTANTS.filter(({ name }) => SAMPLE.includes(name)))('shows that $name', async (mutant) => {
    const { violation } = await findMutant(mutant)
    expect(violation).toBeDefined()
  })
})
