import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { AttemptBudget } from './attempt-budget.js'
import { answered, CHANGED, STALE } from './outcome.js'
import { MAX_LATE_VIEWS } from './slow-shard-map.js'
import { untilDecided } from './until-decided.js'

const TABLE = { name: 'log', shardMap: 'map', cacheMilliseconds: 5_000 }

/** Decides with these outcomes, one after the other, and with the last one from then on. */
async function decided(
  outcomes: readonly (typeof STALE | typeof CHANGED | ReturnType<typeof answered<string>> | Error)[],
  { unanswered, retryMilliseconds = 60_000 }: { unanswered?: Error; retryMilliseconds?: number } = {},
) {
  const clock = new VirtualClock()
  const limits = { clock, random: { next: () => 1 }, options: { maxAttempts: 10, retryMilliseconds } }
  const budget = new AttemptBudget(limits, undefined)
  budget.unanswered = unanswered
  let decisions = 0
  const decide = async () => {
    const outcome = outcomes[Math.min(decisions++, outcomes.length - 1)] ?? STALE
    if (outcome instanceof Error) throw outcome
    return outcome
  }
  const from = clock.now()
  const result = await clock.run(() =>
    untilDecided(budget, TABLE, decide, () => new Error('conflict')).catch((error: unknown) => error),
  )
  return { result, decisions, waited: clock.now() - from }
}

const named = (name: string) => Object.assign(new Error(name), { name })

describe('a call whose decision is out of date', () => {
  it('decides again at once if its view has ended', async () => {
    const outcomes = [STALE, STALE, answered('done')]
    expect(await decided(outcomes)).toEqual({ result: 'done', decisions: 3, waited: 0 })
  })

  it('decides again at once after the first change of its item, and waits longer after each further one', async () => {
    const outcomes = [CHANGED, CHANGED, CHANGED, answered('done')]
    expect(await decided(outcomes)).toEqual({ result: 'done', decisions: 4, waited: 25 + 50 })
  })

  it('ends after the twentieth change of its item', async () => {
    const { result, decisions } = await decided([...Array(20).fill(CHANGED), answered('done')])
    expect([result, decisions]).toEqual(['done', 21])
    expect(await decided([CHANGED])).toMatchObject({
      result: { message: 'conflict', $metadata: { totalRetryDelay: expect.any(Number) } },
      decisions: 21,
    })
  })

  it('ends if the next wait would end after the deadline', async () => {
    const { result, decisions } = await decided([CHANGED], { retryMilliseconds: 30 })
    expect(result).toMatchObject({ message: 'conflict' })
    expect(decisions).toBe(3)
  })

  it('ends if too many views in a row have ended', async () => {
    const { result, decisions } = await decided([STALE])
    expect(result).toMatchObject({ code: 'shard-map.slow' })
    expect(decisions).toBe(MAX_LATE_VIEWS + 1)
  })
})

describe('a decision that fails', () => {
  const unanswered = new Error('socket hang up')

  it.each([
    ['at first', []],
    ['later', [STALE]],
  ])('ends the call with its error, %s', async (_when, before) => {
    expect((await decided([...before, named('Denied')])).result).toMatchObject({ name: 'Denied' })
  })

  it.each([
    ['at first', []],
    ['later', [STALE]],
  ])('ends the call with the error of an attempt without a response, %s', async (_when, before) => {
    expect((await decided([...before, named('Denied')], { unanswered })).result).toBe(unanswered)
  })

  it.each(['ConditionalCheckFailedException', 'TransactionCanceledException'])(
    'with %s ends the call with that, even after an attempt without a response',
    async (name) => {
      expect((await decided([named(name)], { unanswered })).result).toMatchObject({ name })
    },
  )

  it('before it has returned a promise rejects the call as well', async () => {
    const limits = {
      clock: new VirtualClock(),
      random: { next: () => 1 },
      options: { maxAttempts: 10, retryMilliseconds: 10_000 },
    }
    const budget = new AttemptBudget(limits, undefined)
    budget.unanswered = unanswered
    const decide = () => {
      throw named('Denied')
    }
    expect(() => untilDecided(budget, TABLE, decide, () => new Error('conflict'))).toThrow(unanswered)
  })
})
