import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { type Clock, SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { type CounterOptions, counter } from './index.js'

const options = { table: 'counters', partitionKey: 'id', key: 'Campaign#101' }
const HEAD = JSON.stringify({ id: { S: 'Campaign#101' } })

const THROTTLED = 'ProvisionedThroughputExceededException'

/** The requests of the head that go wrong, and how: without an answer, or with an error of this name. */
interface Faults {
  command: 'GetItemCommand' | 'UpdateItemCommand' | undefined
  kind: 'silence' | typeof THROTTLED | 'AccessDeniedException'
  /** How many more of them. */
  left: number
  met: number
}

async function engineWith(kind: Faults['kind']) {
  const engine = await patternEngine([createTable('counters', ['id'])], { throttle: false })
  const { clock } = engine
  const openWith = (db: DynamoDBClient, seed: number, given: Partial<CounterOptions> = {}) =>
    counter(db, { ...options, clock, random: new SeededRandom(seed), ...given })
  const faults: Faults = { command: undefined, kind, left: Number.POSITIVE_INFINITY, met: 0 }
  const db = engine.network(1, 0)
  db.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        const isOfHead = 'Key' in args.input && JSON.stringify(args.input.Key) === HEAD
        if (!isOfHead || commandName !== faults.command || faults.left === 0) return next(args)
        faults.left -= 1
        faults.met += 1
        if (faults.kind === 'silence') return new Promise(() => {})
        throw Object.assign(new Error('refused'), { name: faults.kind, $metadata: { httpStatusCode: 400 } })
      },
    { step: 'initialize' },
  )
  const openOther = (seed: number, given: Partial<CounterOptions> = {}) =>
    openWith(engine.network(seed, 0), seed, given)
  return { clock, db, faults, openWith, openOther }
}

async function timed(clock: Clock, work: () => Promise<unknown>) {
  const from = clock.now()
  const outcome = await work().then(
    () => 'counted',
    (error: Error & { readonly code?: string }) => error.code ?? error.name,
  )
  return { outcome, seconds: (clock.now() - from) / 1_000 }
}

describe('counts that meet closed shards while the head has no answer', () => {
  it.each([
    ['is throttled', THROTTLED, THROTTLED],
    ['is silent', 'silence', 'TimeoutError'],
  ] as const)('are counted or end after their time, if it %s', async (_what, kind, error) => {
    const { clock, db, faults, openWith, openOther } = await engineWith(kind)
    await clock.run(async () => {
      const votes = openWith(db, 1, { initial: 40, cacheTtl: '10m' })
      await votes.add(1)
      await openOther(2).rollUp({ shards: 1 })
      faults.command = 'GetItemCommand'
      const counts = await Promise.all(Array.from({ length: 20 }, () => timed(clock, () => votes.add(1))))
      const failed = counts.filter(({ outcome }) => outcome !== 'counted')
      expect(failed.length).toBeGreaterThan(0)
      for (const { outcome } of failed) expect(outcome).toBe(error)
      for (const { seconds } of counts) expect(seconds).toBeLessThan(25)
      faults.command = undefined
      expect(await openOther(3).value()).toBe(1 + counts.length - failed.length)
      await votes.add(1)
    })
  })

  it('keep to a shorter time', async () => {
    const { clock, db, faults, openWith, openOther } = await engineWith(THROTTLED)
    await clock.run(async () => {
      const votes = openWith(db, 1, { initial: 40, cacheTtl: '10m', timeout: '1s' })
      await votes.add(1)
      await openOther(2).rollUp({ shards: 1 })
      faults.command = 'GetItemCommand'
      const outcomes = new Set<string>()
      for (let count = 0; count < 10; count++) {
        const { outcome, seconds } = await timed(clock, () => votes.add(1))
        outcomes.add(outcome)
        expect(seconds).toBeLessThan(4)
      }
      expect([...outcomes].toSorted()).toEqual([THROTTLED, 'counted'])
    })
  })

  it('do not leave its readings behind', async () => {
    const { clock, db, faults, openWith, openOther } = await engineWith('silence')
    await clock.run(async () => {
      const votes = openWith(db, 1, { initial: 40, cacheTtl: '100m' })
      await votes.add(1)
      await openOther(2).rollUp({ shards: 1 })
      faults.command = 'GetItemCommand'
      for (let second = 0; second < 100; second++) {
        votes.add(1).catch(() => {})
        await clock.sleep(1_000)
      }
      await clock.sleep(60_000)
      // One at a time, each for six seconds.
      expect(faults.met).toBeLessThan(35)
    })
  })

  it('say at once that it may not be read', async () => {
    const { clock, db, faults, openWith, openOther } = await engineWith('AccessDeniedException')
    await clock.run(async () => {
      const votes = openWith(db, 1, { initial: 40, cacheTtl: '10m' })
      await votes.add(1)
      await openOther(2).rollUp({ shards: 1 })
      faults.command = 'GetItemCommand'
      const refused = await timed(clock, () => votes.add(1))
      expect(refused).toEqual({ outcome: 'AccessDeniedException', seconds: expect.closeTo(0, 0) })
    })
  })
})

describe('a counter whose number of shards is old', () => {
  it.each(['silence', THROTTLED] as const)(
    'goes on with it while the head has no answer: %s',
    async (kind) => {
      const { clock, db, faults, openWith } = await engineWith(kind)
      await clock.run(async () => {
        const votes = openWith(db, 1, { initial: 4, cacheTtl: '1m' })
        await votes.add(1)
        faults.command = 'GetItemCommand'
        for (let minute = 0; minute < 5; minute++) {
          await clock.sleep(61_000)
          const first = await timed(clock, () => votes.add(1))
          expect(first.outcome).toBe('counted')
          expect(first.seconds).toBeLessThan(11)
          expect(await timed(clock, () => votes.add(1))).toEqual({
            outcome: 'counted',
            seconds: expect.closeTo(0, 0),
          })
        }
        expect(await openWith(db, 2).add(0)).toEqual({ isNew: true })
      })
    },
  )

  it('lets a caller leave who does not want to wait for it', async () => {
    const { clock, db, faults, openWith } = await engineWith('silence')
    await clock.run(async () => {
      const votes = openWith(db, 1, { initial: 4, cacheTtl: '1m' })
      await votes.add(1)
      await clock.sleep(61_000)
      faults.command = 'GetItemCommand'
      const leaving = new AbortController()
      clock.sleep(2_000).then(() => leaving.abort())
      const left = await timed(clock, () => votes.add(1, { signal: leaving.signal }))
      expect(left).toEqual({ outcome: 'AbortError', seconds: expect.closeTo(2, 1) })
    })
  })

  it('is refused with the error of its first reading, if there was none before', async () => {
    const { clock, db, faults, openWith } = await engineWith(THROTTLED)
    await clock.run(async () => {
      faults.command = 'GetItemCommand'
      const refused = await timed(clock, () => openWith(db, 1, { timeout: '20s' }).add(1))
      expect(refused.outcome).toBe(THROTTLED)
      expect(refused.seconds).toBeGreaterThan(15)
      faults.kind = 'silence'
      expect((await timed(clock, () => openWith(db, 1).add(1))).outcome).toBe('TimeoutError')
    })
  })
})

it('grows on although one of its growths was never answered', async () => {
  const { clock, db, faults, openWith } = await engineWith('silence')
  await clock.run(async () => {
    const votes = openWith(db, 1, { initial: 2 })
    await votes.add(1)
    let isHot = true
    const random = new SeededRandom(7)
    db.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          const isCount = commandName === 'UpdateItemCommand' && JSON.stringify(args.input).includes('ADD n')
          if (!isHot || !isCount || random.next() < 0.5) return next(args)
          throw Object.assign(new Error('refused'), { name: THROTTLED, $metadata: { httpStatusCode: 400 } })
        },
      { step: 'initialize' },
    )
    await clock.sleep(5_000)
    faults.command = 'UpdateItemCommand'
    faults.left = 1
    for (let second = 0; second < 60; second++) {
      votes.add(1).catch(() => {})
      await clock.sleep(1_000)
    }
    isHot = false
    expect(faults.left).toBe(0)
    const input = { TableName: 'counters', Key: JSON.parse(HEAD) }
    const { Item } = await db.send(new GetItemCommand(input))
    expect(Number(Item?.shards?.N)).toBeGreaterThan(2)
  })
})
