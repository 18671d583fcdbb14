import { createTable } from '@isotherm/fixtures'
import { SeededRandom } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { fixedShards, isotherm } from '../../index.js'
import { counter } from './index.js'

const options = { table: 'counters', partitionKey: 'id', key: 'Campaign#101' }

/** Attempts of the SDK for one command. */
const ATTEMPTS = 3

interface Answer {
  readonly commandName: string
  readonly input: string
  readonly isRefusal: boolean
}

/** A client whose network loses the answers that `isLost` says. */
async function engineThatLoses(isLost: (answer: Answer) => boolean | Promise<boolean>) {
  const engine = await patternEngine([createTable('counters', ['id'])], { throttle: false })
  const far = engine.network(1, 0)
  far.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const output = await next(args).catch((error: unknown) => error)
        const isRefusal = output instanceof Error
        if (await isLost({ commandName, input: JSON.stringify(args.input), isRefusal })) throw noAnswer()
        if (isRefusal) throw output
        return output as Awaited<ReturnType<typeof next>>
      },
    { step: 'finalizeRequest', priority: 'low', name: 'loseAnswers' },
  )
  const { clock } = engine
  const open = (seed: number) => counter(far, { ...options, clock, random: new SeededRandom(seed) })
  return { ...engine, far, open }
}

const noAnswer = () => Object.assign(new Error('No answer came.'), { name: 'TimeoutError' })

it('a token that a call counted is new, although its answer was lost and the next attempt met a conflict', async () => {
  const random = new SeededRandom(3)
  const { clock, far } = await engineThatLoses(
    ({ commandName, isRefusal }) =>
      commandName === 'TransactWriteItemsCommand' && !isRefusal && random.next() < 0.05,
  )
  await clock.run(async () => {
    const votes = counter(far, { ...options, max: 4, timeout: '60s', clock, random: new SeededRandom(5) })
    const tokens = Array.from({ length: 400 }, (_, index) => `token${index}`)
    const counted = await Promise.allSettled(tokens.map((token) => votes.add(1, { token })))
    expect(await votes.value()).toBe(400)
    expect(counted.filter((each) => each.status === 'fulfilled' && !each.value.isNew)).toEqual([])
    expect(await votes.add(1, { token: 'token0' })).toEqual({ isNew: false })
  })
})

it('a token that a call counted is new in a sharded table, too', async () => {
  let lost = 0
  const engine = await patternEngine([createTable('counters', ['id', 'part'])], { throttle: false })
  const { clock, client } = engine
  await clock.run(async () => {
    const sharded = {
      partitionKey: 'id',
      sortKey: 'part',
      suffix: 'calculated',
      shards: fixedShards(3),
    } as const
    const db = isotherm(client, { tables: { counters: sharded } })
    db.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const output = await next(args)
          if (commandName !== 'TransactWriteItemsCommand' || lost > 0) return output
          lost += 1
          // The service was slow, and refuses the next attempt of the pattern.
          throw Object.assign(new Error('It is in another transaction.'), {
            name: 'TransactionCanceledException',
            CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
          })
        },
      { step: 'initialize' },
    )
    const votes = counter(db, { ...options, sortKey: 'part', clock })
    expect(await votes.add(1, { token: 'a' })).toEqual({ isNew: true })
    expect(await votes.add(1, { token: 'a' })).toEqual({ isNew: false })
    expect([lost, await votes.value()]).toEqual([1, 1])
  })
})

it('a reset returns what it took, although all answers of a command were lost', async () => {
  let lost = 0
  const { clock, open } = await engineThatLoses(
    ({ input }) => input.includes('reset_by') && ++lost <= ATTEMPTS,
  )
  await clock.run(async () => {
    await open(1).add(7)
    expect(await open(2).reset()).toBe(7)
    expect(lost).toBeGreaterThan(ATTEMPTS)
    expect(await open(3).reset()).toBe(0)
  })
})

it.each([1, 7])('a reset returns what it took, although %i others came before it knew', async (others) => {
  const taken: number[] = []
  let lost = 0
  const { clock, open, network } = await engineThatLoses(async ({ input }) => {
    if (!input.includes('reset_by') || ++lost > ATTEMPTS) return false
    for (let left = lost === 1 ? others : 0; left > 0; left--) {
      const other = counter(network(2, 0), { ...options, clock, random: new SeededRandom(10 + left) })
      await other.add(1)
      taken.push(await other.reset())
    }
    return true
  })
  await clock.run(async () => {
    await open(1).add(7)
    expect(await open(2).reset()).toBe(7)
    expect(taken).toEqual(new Array<number>(others).fill(1))
    expect(await open(3).reset()).toBe(0)
  })
})

it('a roll-up returns what it moved, although all answers of its commands were lost', async () => {
  const lost = new Map<string, number>()
  let isLosing = false
  const { clock, open, far } = await engineThatLoses(({ input }) => {
    const change = ['rolled_up', ':next', 'SET highest'].find((part) => input.includes(part)) ?? ''
    if (change === '' || !isLosing) return false
    lost.set(change, (lost.get(change) ?? 0) + 1)
    return (lost.get(change) ?? 0) <= ATTEMPTS
  })
  await clock.run(async () => {
    const votes = counter(far, { ...options, initial: 4, clock, random: new SeededRandom(4) })
    for (let count = 0; count < 50; count++) await votes.add(1)
    isLosing = true
    expect(await open(2).rollUp({ shards: 1 })).toBe(50)
    expect([...lost.keys()].sort()).toEqual([':next', 'SET highest', 'rolled_up'])
    expect(await open(3).value()).toBe(50)
    expect(await open(3).estimate(1)).toMatchObject({ shards: 1 })
  })
})
