import { describe, expect, inject, it } from 'vitest'
import { HOT_KEY } from './fleet-member.fixture.js'
import { PROCESSES, PROXIES, UnreliableFleet } from './unreliable-fleet.fixture.js'

const WRITES_PER_SECOND = 80
const RESTART_EVERY = 150
const READ_EVERY = 250
/** Of the reads, which need many pages: one that is lost, or throttled too often, fails the whole read. */
const READS_AT_LEAST = 0.25
/** A change of a count, with all its waits, is over by then. */
const SETTLED_MILLISECONDS = 300_000
/** It takes half a minute where nothing else runs. */
const TIMEOUT_MILLISECONDS = 600_000

/**
 * Until the key has grown, its partition takes 41 of 80 writes a second, and the others are throttled. These use up the retries of the
 * SDK, which has few for all requests of a client together. So what the network loses fails, too, as does what a process had begun
 * when it ended.
 */
interface Case {
  readonly name: string
  readonly suffix: 'random' | 'calculated'
  /** What a restart does to the member that changes the count. */
  readonly changing: 'spared' | 'first'
  readonly hotSeconds: number
  /** After that, a write a second: a change that its process has left is noticed by others that use the key. */
  readonly calmSeconds: number
  readonly growsWithinSeconds: number
  /** From then on, no write is throttled, and only processes that end fail writes. */
  readonly healedAfterSeconds: number
  /** Shares of all writes. */
  readonly acknowledgedAtLeast: number
  readonly throttledAtMost: number
}

const CASES: readonly Case[] = [
  {
    name: 'random suffix: it grows at once',
    suffix: 'random',
    changing: 'spared',
    hotSeconds: 40,
    calmSeconds: 0,
    growsWithinSeconds: 10,
    healedAfterSeconds: 15,
    acknowledgedAtLeast: 0.95,
    throttledAtMost: 0.03,
  },
  {
    name: 'calculated suffix: it grows after two waits of 15 s, in which every process learns of the change',
    suffix: 'calculated',
    changing: 'spared',
    hotSeconds: 60,
    calmSeconds: 0,
    growsWithinSeconds: 25,
    healedAfterSeconds: 45,
    acknowledgedAtLeast: 0.7,
    throttledAtMost: 0.2,
  },
  {
    name: 'calculated suffix, and the process that changes the count ends: another one completes it',
    suffix: 'calculated',
    changing: 'first',
    hotSeconds: 15,
    calmSeconds: 150,
    // Renewals are missed for 30 s, another process watches for up to 32 s more, and then waits for the caches.
    growsWithinSeconds: 120,
    healedAfterSeconds: 30,
    acknowledgedAtLeast: 0.4,
    throttledAtMost: 0.5,
  },
]
const ACKNOWLEDGED_WHEN_HEALED = 0.98

describe(`${PROXIES} proxies and ${PROCESSES} processes`, () => {
  it.each(CASES.map((each) => [each.name, each] as const))(
    'lose, double and hide nothing, with lost answers and restarts, and agree about the count: %s',
    async (_, expected) => {
      const fleet = new UnreliableFleet(expected.suffix, inject('seed'))
      const { clock, outcomes } = fleet
      const { acknowledged, throttled, lost, ended, unexplained } = outcomes
      const hot = expected.hotSeconds * WRITES_PER_SECOND
      const writes = hot + expected.calmSeconds
      const startedAt = clock.now()
      await clock.run(async () => {
        await fleet.start()
        const pending: Promise<unknown>[] = []
        const reads: ReturnType<UnreliableFleet['read']>[] = []
        for (let at = 0; at < writes; at++) {
          pending.push(fleet.put(at))
          if (at % RESTART_EVERY === RESTART_EVERY - 1) fleet.restart(expected.changing)
          if (at % READ_EVERY === READ_EVERY - 1) reads.push(fleet.read())
          await clock.sleep(at < hot ? 1_000 / WRITES_PER_SECOND : 1_000)
        }
        await Promise.all(pending)
        const answered = (await Promise.all(reads)).filter((read) => read !== undefined)
        expect(answered.length).toBeGreaterThan(reads.length * READS_AT_LEAST)
        // A read while the fleet writes: nothing that was acknowledged before is hidden, and nothing is there twice.
        for (const { found, before } of answered) {
          const once = new Set(found)
          expect(found.length).toBe(once.size)
          expect(before.filter((at) => !once.has(at))).toEqual([])
        }
        await clock.sleep(SETTLED_MILLISECONDS)

        const { items, keys } = await fleet.stored()
        const there = new Set(items)
        expect(items.length).toBe(there.size)
        expect([...acknowledged].filter((at) => !there.has(at))).toEqual([])
        expect(items.filter((at) => at < 0 || at >= writes)).toEqual([])
        // A write that failed is there only where an answer was lost or its process was ended.
        const failed = items.filter((at) => !acknowledged.has(at))
        expect(failed.length).toBeLessThanOrEqual(fleet.lost('replies') + fleet.cutOff)
        expect(keys).toBeGreaterThan(2)
        for (const member of fleet.members) {
          // The network still loses requests, so a read may need another try.
          const found = await member.read().catch(() => member.read())
          expect(found).toEqual(items)
        }
        const counts = await Promise.all(
          fleet.members.map(({ db }) => {
            const shards = db.shards('log', HOT_KEY)
            return shards.read().catch(() => shards.read())
          }),
        )
        expect(new Set(counts.map((count) => JSON.stringify(count))).size).toBe(1)
        expect(counts[0]).toBeDefined()
      })
      // Each write is acknowledged, or has failed for a reason that the test has.
      expect(unexplained).toEqual([])
      expect(acknowledged.size + throttled.size + lost.size + ended.size).toBe(writes)
      expect(lost.size).toBeLessThanOrEqual(fleet.lost('requests') + fleet.lost('replies'))
      expect(ended.size).toBeLessThanOrEqual(fleet.cutOff)
      expect(fleet.lost('requests')).toBeGreaterThan(5)
      expect(fleet.lost('replies')).toBeGreaterThan(10)
      const growth = fleet.events.find((event) => event.type === 'scaled')
      expect(((growth?.at ?? Number.POSITIVE_INFINITY) - startedAt) / 1_000).toBeLessThan(
        expected.growsWithinSeconds,
      )
      expect(acknowledged.size).toBeGreaterThan(expected.acknowledgedAtLeast * writes)
      expect(throttled.size).toBeLessThan(expected.throttledAtMost * writes)
      const healed = outcomes.since(startedAt + expected.healedAfterSeconds * 1_000)
      expect(healed.filter((at) => throttled.has(at))).toEqual([])
      expect(healed.filter((at) => acknowledged.has(at)).length).toBeGreaterThan(
        ACKNOWLEDGED_WHEN_HEALED * healed.length,
      )
      await fleet.local.close()
    },
    TIMEOUT_MILLISECONDS,
  )
})
