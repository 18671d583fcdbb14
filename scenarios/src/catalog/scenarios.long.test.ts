import { expect, it } from 'vitest'
import type { ScenarioSide } from './scenario.js'
import { SCENARIOS } from './scenarios.js'

function named(name: string) {
  const scenario = SCENARIOS.find((each) => each.name === name)
  if (scenario === undefined) throw new Error(`There is no scenario ${name}.`)
  return scenario
}

const values = (side: ScenarioSide | undefined, kind: string) =>
  side?.series.filter((series) => series.kind === kind).flatMap((series) => series.values) ?? []

it('a flash sale is throttled to its end with one key, and for seconds with shards', async () => {
  const { isGood, sides, rows } = await named('flash-sale').rehearse({ scale: 0.6 }, {})
  expect(isGood).toBe(true)
  const [before, after] = sides
  expect(Math.min(...values(before, 'throttled').slice(10, 20))).toBeGreaterThan(100)
  expect(Math.max(...values(after, 'throttled').slice(15))).toBe(0)
  const failed = rows.find(({ name }) => name === 'orders that failed after all attempts')
  expect(failed?.values[0]).toBeGreaterThan(1_000)
})

it('reads of one author are throttled with one key, and not with shards', async () => {
  const { isGood, sides } = await named('celebrity').rehearse({ seed: 2 }, {})
  expect(isGood).toBe(true)
  const [before, after] = sides
  expect(Math.max(...values(before, 'throttled'))).toBeGreaterThan(100)
  expect(values(after, 'throttled')).toEqual([])
})
