import { describe, expect, it } from 'vitest'
import { DEFAULTS } from './contestant.js'
import { runShape } from './run-shape.js'
import { missedOf } from './scoreboard.js'
import { SHAPES } from './shapes.js'

/** The loads whose runs are short enough, with the seconds that show whether they heal. */
const RUNS = [
  { name: 'random-8x', seconds: 40 },
  { name: 'fleet-1000', seconds: 26 },
  { name: 'fleet-2000', seconds: 26 },
  { name: 'calculated-4x', seconds: 60 },
  { name: 'calculated-2x-10kb', seconds: 60 },
  { name: 'hot-item-random', seconds: 20 },
  { name: 'hot-item-calculated', seconds: 20 },
] as const

describe('the library with its default options', () => {
  it.each(RUNS)(
    'reaches the target of $name',
    async ({ name, seconds }) => {
      const shape = SHAPES.find((each) => each.name === name)
      if (shape === undefined) throw new Error(`There is no shape ${name}.`)
      const run = await runShape({ ...shape, seconds }, DEFAULTS, 4)
      expect(missedOf(run, shape.target)).toEqual([])
      if (name.startsWith('hot-item')) expect(run.events).toMatchObject({ 'hot-item': 1 })
    },
    240_000,
  )
})
