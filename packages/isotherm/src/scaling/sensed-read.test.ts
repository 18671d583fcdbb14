import { expect, it } from 'vitest'
import type { LogicalKey } from '../keys/key.js'
import type { ReadHeat, Spread } from './read-heat.js'
import { SensedRead } from './sensed-read.js'

const KEY = { S: 'k' } as LogicalKey
const SPREAD: Spread = { by: 'query' }

/** A read of shard 4, and what is recorded of it. */
function setUp() {
  const throttles: Parameters<ReadHeat['throttled']>[0][] = []
  const answers: unknown[] = []
  const heat = {
    throttled: async (refused) => {
      throttles.push(refused)
      return 'partition'
    },
    answered: (...answer) => void answers.push(answer),
  } as Pick<ReadHeat, 'throttled' | 'answered'> as ReadHeat
  return { read: new SensedRead(heat, KEY, 4, SPREAD), throttles, answers }
}

it('records each throttled attempt with its number and its shards', () => {
  const { read, throttles } = setUp()
  read.throttled(['a'])
  read.throttled(['b'], { shard: 2, shards: 3 })
  const common = { key: KEY, index: undefined, spread: SPREAD }
  expect(throttles).toEqual([
    { ...common, shard: 4, shards: 1, attempt: 1, reasons: ['a'] },
    { ...common, shard: 2, shards: 3, attempt: 2, reasons: ['b'] },
  ])
})

it('counts the attempts at the table and at its index apart', () => {
  const { read, throttles } = setUp()
  read.throttled([], { index: 'by_status' })
  read.throttled([])
  read.throttled([], { index: 'by_status' })
  read.throttled([])
  expect(throttles.map(({ index, attempt }) => [index, attempt])).toEqual([
    ['by_status', 1],
    [undefined, 1],
    ['by_status', 2],
    [undefined, 2],
  ])
})

it('makes no retry wait for what throttled it, because a read has no other shard', async () => {
  const { read, throttles } = setUp()
  expect(await read.onThrottle(['a'], 1)).toBeUndefined()
  expect(throttles).toEqual([expect.objectContaining({ reasons: ['a'], attempt: 1, shard: 4 })])
})

it('records its answer, and whether a throttle of the table has offered its units already', () => {
  const { read, answers } = setUp()
  read.answered(2)
  read.throttled([], { index: 'by_status' })
  read.answered(3, 2)
  read.throttled([])
  read.answered(4)
  expect(answers).toEqual([
    [KEY, 2, { wasThrottled: false, shards: 1, spread: SPREAD }],
    [KEY, 3, { wasThrottled: false, shards: 2, spread: SPREAD }],
    [KEY, 4, { wasThrottled: true, shards: 1, spread: SPREAD }],
  ])
})
