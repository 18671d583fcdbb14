import { describe, expect, it } from 'vitest'
import { checkedValues } from './checked-values.js'
import type { ScenarioProgress } from './scenario.js'
import { SCENARIOS } from './scenarios.js'

const named = (name: string) => SCENARIOS.find((each) => each.name === name)

describe('the catalog of scenarios', () => {
  it('has parameters whose defaults are within their limits', () => {
    for (const { parameters } of SCENARIOS) {
      expect(Object.keys(checkedValues(parameters, {}))).toEqual(parameters.map(({ name }) => name))
      expect(new Set(parameters.map(({ flag }) => flag)).size).toBe(parameters.length)
    }
  })

  it('runs the hot file with few writes, and has both ways over time', async () => {
    const seen: ScenarioProgress[] = []
    const values = { viralWritesPerSecond: 300, calmSeconds: 1, rampSeconds: 1, holdSeconds: 3 }
    const result = await named('hot-file')?.rehearse(values, { onProgress: (each) => seen.push(each) })
    expect(result).toMatchObject({ isGood: true, sides: [{ name: 'one key per file' }, {}, {}] })
    expect(result?.sides[0]?.series[0]).toMatchObject({ kind: 'offered', values: { length: 5 } })
    expect(seen.at(-1)).toMatchObject({ text: 'Reading the trail back, second 5 of 5', share: 1 })
  })

  it('names its sides as the report does, and has their traffic', async () => {
    const result = await named('counter')?.rehearse({ scale: 0.4 }, {})
    expect(result?.sides.map(({ name }) => name)).toEqual(['one item, ADD', 'isotherm/counter'])
    const [before, after] = result?.sides ?? []
    const sum = (kind: string, of = before) =>
      of?.series.find((series) => series.kind === kind)?.values.reduce((a, b) => a + b, 0) ?? 0
    const value = result?.rows.find(({ name }) => name === 'value of the counter')?.values
    // Each count is one write unit.
    expect(sum('accepted')).toBe(value?.[0])
    expect(sum('throttled')).toBeGreaterThan(sum('throttled', after))
  })

  it.each([
    [{ colour: 1 }, 'The parameter colour is unknown. Known are baseWritesPerSecond,'],
    [{ holdSeconds: 0 }, 'The parameter holdSeconds is 0. Give a whole number from 1 to 3600.'],
    [{ holdSeconds: 1.5 }, 'The parameter holdSeconds is 1.5. Give a whole number'],
    [{ initialShards: 300 }, 'The parameter initialShards is 300. Give at most maxShards, which is 200.'],
    [{ viralWritesPerSecond: 100_000 }, 'writes; it must have at most 2,000,000.'],
  ])('refuses %j with the value and the rule', async (values, message) => {
    await expect(named('hot-file')?.rehearse(values as Record<string, number>, {})).rejects.toThrow(message)
  })
})
