import { expect, it } from 'vitest'
import { listText } from './shards-report.js'

it('a list shows times of other writers that are no seconds as they are', () => {
  const key = { shards: 2, readableShards: 2, phase: 'settled' }
  const text = listText('log', 2, [
    { ...key, key: 'own', lastUpdated: 1_700_000_000 },
    { ...key, key: 'other', lastUpdated: 1_700_000_000_000_000 },
  ])
  expect(text).toMatch(/own .* 2023-11-14T22:13:20Z/)
  expect(text).toMatch(/other .* 1700000000000000 /)
})
