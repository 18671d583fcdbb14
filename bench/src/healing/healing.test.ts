import { fixedShards } from 'isotherm'
import { describe, expect, it } from 'vitest'
import { type Contestant, DEFAULTS } from './contestant.js'
import { runShape } from './run-shape.js'
import { missedOf } from './scoreboard.js'
import type { Shape } from './shape.js'
import { SHAPES } from './shapes.js'

const TWICE = shapeNamed('random-2x', 15)

function shapeNamed(name: string, seconds: number): Shape {
  const shape = SHAPES.find((each) => each.name === name)
  if (shape === undefined) throw new Error(`There is no shape ${name}.`)
  return { ...shape, seconds }
}

function fixed(count: number): Contestant {
  return { name: `fixed-${count}`, shards: () => fixedShards(count) }
}

describe('the measure of healing', () => {
  it('finds that one shard never heals at twice a partition, and loses what the partition does not take', async () => {
    const run = await runShape(TWICE, fixed(1), 1)
    expect(run.healedAt).toBeUndefined()
    expect(run.lostUnits / run.offeredUnits).toBeGreaterThan(0.3)
    expect(run.lostUnits / run.offeredUnits).toBeLessThan(0.5)
    expect(missedOf(run, TWICE.target)).toEqual(['healed by 10 s'])
  })

  it('finds that enough shards need no healing', async () => {
    const run = await runShape(TWICE, fixed(16), 1)
    expect(run).toMatchObject({ healedAt: 0, lostUnits: 0, shards: 16 })
    expect(missedOf(run, TWICE.target)).toEqual([])
  })

  it('gives the same run for the same seed, and another one for another', async () => {
    const short = shapeNamed('random-2x', 10)
    const [first, again, other] = [
      await runShape(short, DEFAULTS, 1),
      await runShape(short, DEFAULTS, 1),
      await runShape(short, DEFAULTS, 2),
    ]
    expect(again).toEqual(first)
    expect(other.seconds).not.toEqual(first.seconds)
  })
})

describe('the library with its default options', () => {
  it.each(['random-2x', 'random-4x', 'random-4x-on-demand'])('heals in time at %s', async (name) => {
    const shape = shapeNamed(name, 40)
    expect(missedOf(await runShape(shape, DEFAULTS, 1), shape.target)).toEqual([])
  })
})
