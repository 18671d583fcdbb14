import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { AttemptBudget, type AttemptLimits } from './attempt-budget.js'
import { MAX_LATE_VIEWS } from './slow-shard-map.js'

const TABLE = { name: 'log', shardMap: 'map', cacheMilliseconds: 5_000 }
const throttle = () => Object.assign(new Error('throttled'), { $metadata: { requestId: 'r' } })

/** With chance at its highest, a wait has its full length. */
function budgetOf(options: Partial<AttemptLimits['options']> = {}, signal?: AbortSignal) {
  const clock = new VirtualClock()
  const random = { next: () => 1 }
  const limits = { clock, random, options: { maxAttempts: 10, retryMilliseconds: 10_000, ...options } }
  return { clock, budget: new AttemptBudget(limits, signal) }
}

describe('a refused attempt', () => {
  it('is followed by waits that double, up to a second', async () => {
    const { clock, budget } = budgetOf()
    const waits = await clock.run(async () => {
      const lasted: number[] = []
      for (let attempt = 0; attempt < 8; attempt++) {
        const from = clock.now()
        expect(await budget.refused({ error: throttle() }, 1)).toBeUndefined()
        lasted.push(clock.now() - from)
      }
      return lasted
    })
    expect(waits).toEqual([25, 50, 100, 200, 400, 800, 1_000, 1_000])
    expect(budget.metadata.waitedMilliseconds).toBe(3_575)
  })

  it('ends the call if it is the last one, with the attempts that the SDK made before it', async () => {
    const { clock, budget } = budgetOf({ maxAttempts: 4 })
    await clock.run(async () => {
      expect(await budget.refused({ error: throttle() }, 1)).toBeUndefined()
      budget.metadata.attempts = 4
      const error = throttle()
      expect(await budget.refused({ error }, 3)).toBe(error)
      expect(error.$metadata).toEqual({ requestId: 'r', attempts: 4, totalRetryDelay: 25 })
    })
  })

  it('ends the call if the wait would end after the deadline, without waiting', async () => {
    const { clock, budget } = budgetOf({ retryMilliseconds: 75 })
    await clock.run(async () => {
      expect(await budget.refused({ error: throttle() }, 1)).toBeUndefined()
      // A wait may end at the deadline itself.
      expect(await budget.refused({ error: throttle() }, 1)).toBeUndefined()
      const at = clock.now()
      expect(await budget.refused({ error: throttle() }, 1)).toBeInstanceOf(Error)
      expect(clock.now()).toBe(at)
    })
  })

  it('is reported with its reasons and its number, if it was throttled', async () => {
    const { clock, budget } = budgetOf()
    const seen: unknown[] = []
    const hooks = {
      onThrottle: async (reasons: readonly string[], attempt: number) => {
        seen.push([reasons, attempt])
        return 'partition' as const
      },
      beforeNext: async (_error: Error, scope: unknown) => {
        seen.push(scope)
        return undefined
      },
    }
    await clock.run(async () => {
      await budget.refused({ error: throttle() }, 1, hooks)
      await budget.refused({ error: throttle(), reasons: ['Hot'] }, 1, hooks)
      // The hook runs instead of the wait.
      expect(budget.metadata.waitedMilliseconds).toBe(0)
    })
    expect(seen).toEqual([undefined, [['Hot'], 2], 'partition'])
  })

  it('stops its wait when the application aborts', async () => {
    const caller = new AbortController()
    const { clock, budget } = budgetOf({}, caller.signal)
    await clock.run(async () => {
      const waiting = budget.refused({ error: throttle() }, 1)
      caller.abort(new Error('enough'))
      await expect(waiting).rejects.toThrow('enough')
    })
  })
})

describe('a pause', () => {
  it('takes nothing from the time for refused attempts', async () => {
    const { clock, budget } = budgetOf({ retryMilliseconds: 25 })
    await clock.run(async () => {
      await budget.pause(60_000)
      expect(await budget.wait(throttle())).toBeUndefined()
      expect(budget.metadata.waitedMilliseconds).toBe(60_025)
    })
  })

  it('stops when the application aborts', async () => {
    const caller = new AbortController()
    const { clock, budget } = budgetOf({}, caller.signal)
    await clock.run(async () => {
      const waiting = budget.pause(60_000)
      caller.abort(new Error('enough'))
      await expect(waiting).rejects.toThrow('enough')
    })
  })

  it('before a batch is sent again may be many times longer', async () => {
    const { clock, budget } = budgetOf()
    await clock.run(async () => {
      const from = clock.now()
      await budget.wait(throttle(), 4)
      expect(clock.now() - from).toBe(100)
    })
  })
})

describe('a view that has ended before it was used', () => {
  it('ends the call if it is one too many in a row', () => {
    const { budget } = budgetOf()
    for (let view = 0; view < MAX_LATE_VIEWS; view++) budget.requireNewView(TABLE)
    expect(() => budget.requireNewView(TABLE)).toThrow(
      expect.objectContaining({
        code: 'shard-map.slow',
        details: { table: 'log', shardMap: 'map', cacheMilliseconds: 5_000 },
      }),
    )
  })

  it('does not count after a refusal, whose wait it may not outlast', async () => {
    const { clock, budget } = budgetOf()
    for (let view = 0; view < MAX_LATE_VIEWS; view++) budget.requireNewView(TABLE)
    await clock.run(() => budget.refused({ error: throttle() }, 1))
    expect(() => budget.requireNewView(TABLE)).not.toThrow()
  })

  it('ends the call with the error of an attempt without a response', () => {
    const { budget } = budgetOf()
    budget.unanswered = new Error('socket hang up')
    for (let view = 0; view < MAX_LATE_VIEWS; view++) budget.requireNewView(TABLE)
    expect(() => budget.requireNewView(TABLE)).toThrow('socket hang up')
  })
})

describe('an attempt whose view ended before it had a response', () => {
  const unanswered = (options: Partial<AttemptLimits['options']> = {}) => {
    const world = budgetOf(options)
    world.budget.unanswered = new Error('socket hang up')
    return world
  }
  const lastWord = expect.objectContaining({
    message: 'socket hang up',
    $metadata: expect.objectContaining({ attempts: expect.any(Number) }),
  })

  it('is one of maxAttempts', () => {
    const { budget } = unanswered({ maxAttempts: 3 })
    for (let attempt = 1; attempt < 3; attempt++) {
      budget.metadata.attempts = attempt
      budget.requireNewView(TABLE)
    }
    budget.metadata.attempts = 3
    expect(() => budget.requireNewView(TABLE)).toThrow(lastWord)
  })

  it('is followed by no other one after the deadline, but for a second one', () => {
    const { clock, budget } = unanswered({ retryMilliseconds: 1_000 })
    clock.advance(1_001)
    budget.requireNewView(TABLE)
    expect(() => budget.requireNewView(TABLE)).toThrow(lastWord)
  })

  it('may be followed by another one at the deadline itself', () => {
    const { clock, budget } = unanswered({ retryMilliseconds: 1_000 })
    clock.advance(1_000)
    for (let view = 0; view < 2; view++) budget.requireNewView(TABLE)
    clock.advance(1)
    expect(() => budget.requireNewView(TABLE)).toThrow(lastWord)
  })
})

describe('the error of a call', () => {
  it('is that of an attempt without a response, which may have been carried out', () => {
    const { budget } = budgetOf()
    budget.unanswered = new Error('socket hang up')
    expect(budget.exhausted(throttle())).toMatchObject({ message: 'socket hang up' })
    expect(budget.lastWord(throttle())).toMatchObject({ message: 'socket hang up' })
  })

  it('is the last one if each attempt was answered, or what has no answer is no error', () => {
    const { budget } = budgetOf()
    expect(budget.exhausted(throttle())).toMatchObject({ message: 'throttled' })
    expect(budget.lastWord(throttle())).toMatchObject({ message: 'throttled' })
    budget.unanswered = 'nothing'
    expect(budget.exhausted(throttle())).toMatchObject({ message: 'throttled' })
  })

  it('is unchanged if the application aborted it', () => {
    const caller = new AbortController()
    const { budget } = budgetOf({}, caller.signal)
    budget.unanswered = new Error('socket hang up')
    caller.abort()
    expect(budget.lastWord('aborted')).toBe('aborted')
  })
})
