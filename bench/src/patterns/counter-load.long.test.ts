import { expect, it } from 'vitest'
import { loadCounter } from './counter-load.js'

const LOAD = { seed: 1, countsPerSecond: 20_000, processes: 50 }
const TOKENS_PER_SECOND = 5_000

it('a new counter takes 20,000 counts a second within three seconds, and is exact', async () => {
  const { value, sent, answeredBySecond } = await loadCounter({
    ...LOAD,
    seconds: 4,
    tokens: false,
    lostReplies: 0,
  })
  expect(value).toBe(sent)
  expect(answeredBySecond[3]).toBeGreaterThan(0.99 * LOAD.countsPerSecond)
})

// Each count is a transaction here: `npm run bench -- patterns --only counter` measures 20,000 a second of them, too.
it('a new counter is exact at 5,000 counts a second with tokens, while answers are lost', async () => {
  const { value, sent, answeredBySecond } = await loadCounter({
    ...LOAD,
    countsPerSecond: TOKENS_PER_SECOND,
    seconds: 5,
    tokens: true,
    lostReplies: 0.01,
  })
  expect(value).toBe(sent)
  expect(answeredBySecond[4]).toBeGreaterThan(0.9 * TOKENS_PER_SECOND)
}, 600_000)
