import { createTable } from '@isotherm/fixtures'
import { SeededRandom } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { type CounterOptions, counter } from './index.js'

const options = { table: 'counters', partitionKey: 'id', key: 'Campaign#101' }

/** Twenty times what a partition takes, as 20,000 counts a second are for one of DynamoDB's; `npm run bench -- patterns` offers those. */
const PARTITION_UNITS = 15
const PER_SECOND = 300

async function loaded({
  seconds,
  processes,
  ...given
}: { seconds: number; processes: number } & Partial<CounterOptions>) {
  const capacity = { partitionWriteUnitsPerSecond: PARTITION_UNITS, onDemandPartitions: 40 }
  const engine = await patternEngine([createTable('counters', ['id'])], { capacity })
  const { clock } = engine
  const open = (index: number) =>
    counter(engine.network(index + 1, 0), { ...options, clock, random: new SeededRandom(index), ...given })
  const fleet = Array.from({ length: processes }, (_, index) => open(index))
  const prompt = new Array<number>(seconds).fill(0)
  const { value, shards } = await clock.run(async () => {
    const from = clock.now()
    const second = () => Math.floor((clock.now() - from) / 1_000)
    const sending: Promise<unknown>[] = []
    for (let at = 0; at < PER_SECOND * seconds; at++) {
      await clock.sleep(1_000 / PER_SECOND)
      const began = clock.now()
      const one = fleet[at % processes]?.add(1)
      sending.push(
        Promise.resolve(one).then(() => {
          const of = Math.floor((began - from) / 1_000)
          if (clock.now() - began < 100) prompt[of] = (prompt[of] ?? 0) + 1
        }),
      )
    }
    await Promise.all(sending)
    expect(second()).toBeLessThan(seconds + 10)
    const reader = open(processes)
    return { value: await reader.value(), shards: (await reader.estimate(1)).shards }
  })
  return { value, shards, prompt }
}

it.each([{ processes: 1 }, { processes: 20 }])(
  'a counter finds by throttles alone how many shards it needs: %o',
  async ({ processes }) => {
    const { value, shards, prompt } = await loaded({ seconds: 5, processes })
    expect(value).toBe(5 * PER_SECOND)
    expect(shards).toBeGreaterThanOrEqual(20)
    expect(shards).toBeLessThanOrEqual(256)
    expect(prompt[4]).toBeGreaterThan(0.95 * PER_SECOND)
  },
)

it('a counter never has more shards than it may', async () => {
  const { value, shards } = await loaded({ seconds: 2, processes: 3, max: 5, timeout: '60s' })
  expect({ value, shards }).toEqual({ value: 2 * PER_SECOND, shards: 5 })
})
