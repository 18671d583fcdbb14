import { dynamicShards } from 'isotherm'
import { describe, expect, it } from 'vitest'
import { DEFAULTS } from './contestant.js'
import { runShape } from './run-shape.js'
import { missedOf } from './scoreboard.js'
import type { Shape } from './shape.js'
import { SHAPES } from './shapes.js'

/** The shape with a short peak. */
function shortPeak(): Shape {
  const shape = SHAPES.find(({ name }) => name === 'down-8x')
  if (shape === undefined) throw new Error('There is no shape down-8x.')
  const rate = [
    { fromSecond: 0, unitsPerSecond: 8_000 },
    { fromSecond: 12, unitsPerSecond: 1 },
  ]
  return { ...shape, load: { kind: 'open', writers: 10, rate }, seconds: 5_400 }
}

describe('coming down from eight times a partition', () => {
  it('costs nothing where few queries would gain by it', async () => {
    const run = await runShape(shortPeak(), DEFAULTS, 1)
    expect(run.shards).toBeGreaterThanOrEqual(4)
    expect(run.movedUnits).toBe(0)
  })

  it('is measured: without a look at the price it costs more than the writes', async () => {
    const always = { name: 'always', shards: () => dynamicShards({ shrink: 'always' }) }
    const run = await runShape(shortPeak(), always, 1)
    expect(run.movedUnits).toBeGreaterThan(run.offeredUnits)
    expect(missedOf(run, shortPeak().target)).toEqual(['at most 1 % of the units for moving items'])
  })
})
