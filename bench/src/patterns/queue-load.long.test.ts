import { expect, it } from 'vitest'
import { workOffQueue } from './queue-load.js'

it('10,000 operations take effect once, while 16 workers are killed at random moments and answers are lost', async () => {
  const { effects, twice, killed } = await workOffQueue({
    seed: 1,
    operations: 10_000,
    workers: 16,
    shards: 8,
    concurrency: 10,
    lostReplies: 0.01,
    killMilliseconds: 2_000,
    handlerMilliseconds: 50,
  })
  expect({ effects, twice }).toEqual({ effects: 10_000, twice: 0 })
  expect(killed).toBeGreaterThan(16)
})
