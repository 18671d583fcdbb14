import {
  CreateTableCommand,
  type DynamoDBClient,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { fixedShards, isotherm } from '../../index.js'
import { type QueueOptions, queue, queueTable } from './index.js'

const options = { table: 'jobs', partitionKey: 'id', maxAttempts: 1 } as const
const untilEmpty = { untilEmpty: true } as const
const sharded = { partitionKey: 'id', sortKey: 'part', suffix: 'calculated' as const, shards: fixedShards(3) }

async function engineWith(given: QueueOptions = options, indexLagMilliseconds = 0) {
  return patternEngine([new CreateTableCommand(queueTable(given))], {
    throttle: false,
    propagation: { indexLagMilliseconds },
  })
}

async function fail() {
  throw new Error('no')
}

/** Loses the answer of the next update that is not a claim, and does something before the SDK tries again. */
function loseAnswer(client: DynamoDBClient) {
  const losing = { isNext: false, before: async () => {} }
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const output = await next(args)
        const { UpdateExpression = '' } = args.input as Partial<UpdateItemCommandInput>
        if (!losing.isNext || commandName !== 'UpdateItemCommand') return output
        if (!UpdateExpression.includes('redriven_by')) return output
        losing.isNext = false
        await losing.before()
        throw Object.assign(new Error('No answer came.'), { name: 'TimeoutError' })
      },
    { step: 'finalizeRequest', priority: 'low', name: 'loseAnswer' },
  )
  return losing
}

describe('stats', () => {
  it('counts a dead letter of a worker whose clock is ahead', async () => {
    const { clock, client } = await engineWith()
    await clock.run(async () => {
      const given = { ...options, random: new SeededRandom(1) }
      const ahead = { now: () => clock.now() + 300_000, sleep: clock.sleep.bind(clock) } as typeof clock
      const jobs = queue<number>(client, { ...given, clock })
      await jobs.enqueue(1)
      await queue<number>(client, { ...given, clock: ahead }).work(fail, untilEmpty)
      expect([(await jobs.stats()).dead, (await jobs.deadLetters()).length]).toEqual([1, 1])
    })
  })
})

describe('redrive', () => {
  it.each([
    ['a plain client', options, (client: DynamoDBClient) => client],
    [
      'a sharded table',
      { ...options, sortKey: 'part' },
      (client: DynamoDBClient) => isotherm(client, { tables: { jobs: sharded } }),
    ],
  ])(
    'succeeds when an answer is lost and a worker has the operation already, on %s',
    async (_on, given, wrap) => {
      const { clock, client } = await engineWith(given)
      const losing = loseAnswer(client)
      await clock.run(async () => {
        const open = () => queue<number>(wrap(client), { ...given, clock, random: new SeededRandom(1) })
        const jobs = open()
        const { id } = await jobs.enqueue(1)
        await jobs.work(fail, untilEmpty)
        for (const before of [
          async () => {},
          async () => void (await jobs.work(async () => {}, untilEmpty)),
        ]) {
          losing.isNext = true
          losing.before = before
          await jobs.redrive(id)
          expect(losing.isNext).toBe(false)
          expect((await jobs.stats()).dead).toBe(0)
          await jobs.work(fail, untilEmpty)
        }
        await expect(jobs.redrive(id)).rejects.toMatchObject({ code: 'queue.not-dead' })
        await expect(jobs.redrive('other')).rejects.toMatchObject({ code: 'queue.not-dead' })
      })
    },
  )
})

describe('the dead letters', () => {
  it('are without an operation that was begun again, also while the index has its entry', async () => {
    const { clock, client } = await engineWith(options, 2_000)
    await clock.run(async () => {
      const jobs = queue<number>(client, { ...options, clock })
      const { id } = await jobs.enqueue(1)
      await jobs.enqueue(2, { key: 'other' })
      await clock.sleep(5_000)
      await jobs.work(fail, untilEmpty)
      await clock.sleep(5_000)
      await jobs.work(fail, untilEmpty)
      await clock.sleep(5_000)
      expect(await jobs.deadLetters()).toHaveLength(2)
      await jobs.redrive(id)
      expect((await jobs.deadLetters()).map((letter) => letter.id)).toEqual(['other'])
    })
  })
})

describe('a worker whose clock is ahead', () => {
  it.each([
    [19_000, 0, 1],
    // As the guide says.
    [60_000, 1, 0],
  ])('by %i ms makes %i running operations of another one dead letters', async (ahead, dead, done) => {
    const { clock, client } = await engineWith()
    await clock.run(async () => {
      const lease = { ...options, lease: '30s' } as const
      const jobs = queue<number>(client, { ...lease, clock, random: new SeededRandom(1) })
      const fast = {
        now: () => clock.now() + ahead,
        sleep: (milliseconds: number, signal?: AbortSignal) => clock.sleep(milliseconds, signal),
      }
      await jobs.enqueue(1)
      const stop = new AbortController()
      const other = queue<number>(client, { ...lease, clock: fast, random: new SeededRandom(2) })
      const first = jobs.work(async () => clock.sleep(100_000), untilEmpty)
      await clock.sleep(500)
      const second = other.work(async () => {}, { signal: stop.signal })
      expect(await first).toMatchObject({ done, dead: 0 })
      stop.abort()
      expect(await second).toMatchObject({ done: 0, dead })
      expect(await jobs.deadLetters()).toHaveLength(dead)
    })
  })
})
