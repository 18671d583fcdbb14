import { expect, it } from 'vitest'
import { announce, drain, move, settle } from './calculated-count.js'
import { firstState, type ShardState } from './shard-state.js'

it('keeps the counts that a calculated key has grown from, to tell how fast it grew, and forgets those that it has lost', () => {
  const change = (state: ReturnType<typeof settle>, to: number, at: number) =>
    settle(drain(move(announce(state, to, at), at + 20), at + 40), at + 60)
  let state = firstState(1, 0)
  for (const at of [10, 80, 150, 400]) state = change(state, state.shards * 2, at)
  expect(state.history).toEqual([
    '0:1',
    '10:2',
    '70:2',
    '80:4',
    '140:4',
    '150:8',
    '210:8',
    '400:16',
    '460:16',
  ])
  const shrunk: ShardState = change(state, 3, 500)
  expect(shrunk.history).toEqual(['560:3'])
  for (let at = 1_000; at < 5_000; at += 100) state = change(state, state.shards + 1, at)
  expect(state.history.length).toBeLessThanOrEqual(20)
})
