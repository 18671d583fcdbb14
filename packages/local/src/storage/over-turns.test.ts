import { expect, it } from 'vitest'
import { overTurns } from './over-turns.js'

it('makes one step in each turn, and serves what else waits between two of them', async () => {
  const order: string[] = []
  function* steps(): Generator<undefined, string> {
    for (const step of ['first', 'second']) {
      order.push(step)
      setImmediate(() => order.push(`behind the ${step}`))
      yield
    }
    return 'done'
  }
  expect(await overTurns(steps())).toBe('done')
  expect(order).toEqual(['first', 'behind the first', 'second', 'behind the second'])
})

it('ends with the error of a step', async () => {
  // biome-ignore lint/correctness/useYield: it fails before its first step ends.
  function* steps(): Generator<undefined, string> {
    throw new Error('damaged')
  }
  await expect(overTurns(steps())).rejects.toThrow('damaged')
})
