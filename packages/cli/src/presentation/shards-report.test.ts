import { expect, it } from 'vitest'
import { listText, stateText } from './shards-report.js'

it('a list shows times of other writers that are no seconds as they are', () => {
  const key = { shards: 2, readableShards: 2, phase: 'settled' }
  const text = listText('log', 2, [
    { ...key, key: 'own', lastUpdated: 1_700_000_000 },
    { ...key, key: 'other', lastUpdated: 1_700_000_000_000_000 },
  ])
  expect(text).toMatch(/own .* 2023-11-14T22:13:20Z/)
  expect(text).toMatch(/other .* 1700000000000000 /)
})

it('the state of a key has one shard in the singular', () => {
  const settled = { phase: 'settled', lastUpdated: 1_700_000_000 } as const
  const one = stateText('/sale', { ...settled, shards: 1, from: 1, to: 1, readableShards: 4 })
  expect(one).toContain('writes go to 1 shard, queries read 4.')
  const four = stateText('/sale', { ...settled, shards: 4, from: 1, to: 4, readableShards: 4 })
  expect(four).toContain('writes go to 4 shards, queries read 4.')
})
