import {
  DeleteItemCommand,
  DeleteTableCommand,
  GetItemCommand,
  PutItemCommand,
  ThrottlingException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { headOf } from './counter-items.js'
import { missesCounts } from './head-identity.js'
import { type CounterOptions, counter } from './index.js'

const options = { table: 'counters', partitionKey: 'id', key: 'Campaign#101' }
const ofHead = { TableName: 'counters', Key: { id: { S: 'Campaign#101' } } }

async function engineWith() {
  const engine = await patternEngine([createTable('counters', ['id'])], { throttle: false })
  const { clock, client } = engine
  const open = (seed: number, given: Partial<CounterOptions> = {}) => {
    const own = engine.network(seed, 0)
    const votes = counter(own, { ...options, clock, random: new SeededRandom(seed), ...given })
    return { own, votes }
  }
  const readHead = async () => (await client.send(new GetItemCommand(ofHead))).Item
  return { clock, client, open, readHead }
}

describe('an id of a head', () => {
  it('stays the same through all changes, and is another one when the head is made again', async () => {
    const { clock, client, open, readHead } = await engineWith()
    await clock.run(async () => {
      const { votes } = open(1, { initial: 8 })
      await votes.add(1)
      const id = headOf(await readHead()).madeBy
      expect(id).toMatch(/^[0-9a-f]{32}$/)
      await votes.rollUp({ shards: 2 })
      await votes.reset()
      expect(headOf(await readHead())).toMatchObject({ madeBy: id, generation: 2, shards: 2, highest: 2 })
      await client.send(new DeleteItemCommand(ofHead))
      await open(2, { initial: 8 }).votes.add(1)
      expect(headOf(await readHead()).madeBy).not.toBe(id)
    })
  })

  it('is given to a head of an earlier build with the next change, which other processes take for no other head', async () => {
    const { clock, client, open, readHead } = await engineWith()
    await clock.run(async () => {
      const { votes } = open(1, { initial: 8 })
      await votes.add(1)
      await client.send(new UpdateItemCommand({ ...ofHead, UpdateExpression: 'REMOVE made_by' }))
      const other = open(2).votes
      await other.add(1)
      await open(3).votes.rollUp({ shards: 2 })
      const changed = await readHead()
      expect(headOf(changed).madeBy).toMatch(/^[0-9a-f]{32}$/)
      await clock.sleep(600_000)
      await other.add(1)
      expect(await readHead()).toEqual(changed)
      expect(await other.value()).toBe(3)
    })
  })
})

describe('readers of a head', () => {
  const head = (generation: number, highest: number, madeBy?: string) => ({
    ...headOf(undefined),
    ...{ generation, shards: highest, highest, madeBy },
  })
  it.each([
    ['an older one', head(1, 8, 'a'), head(2, 8, 'a'), true],
    ['the same one with fewer shards', head(3, 2, 'a'), head(2, 8, 'a'), false],
    ['another one of the same generation', head(2, 8, 'b'), head(2, 8, 'a'), true],
    ['another one with fewer shards', head(3, 7, 'b'), head(2, 8, 'a'), true],
    ['another one that was restored', head(3, 8, 'b'), head(2, 8, 'a'), false],
    ['another one, made by an earlier build', head(3, 7), head(2, 8, 'a'), true],
    ['one of an earlier build', head(2, 8), head(2, 8), false],
    ['one that got its id since', head(3, 7, 'a'), head(2, 8), false],
    ['one that has an id without a change', head(2, 8, 'a'), head(2, 8), true],
    ['the first one', head(1, 8, 'a'), head(0, 1), false],
  ])('%s', (_what, now, known, misses) => {
    expect(missesCounts(now, known)).toBe(misses)
  })
})

/** Another head with the same generation and more shards, which have counts. */
const SHARDS = 40
const COUNTED = 5

describe('a change that arrives after the head was made again', () => {
  it.each([
    ['the lowering of the number of shards', ':next'],
    ['the end of the reading of closed shards', 'SET highest'],
    ['the closing of shards', 'SET closed'],
    ['a growth', 'changed_at'],
  ])('is refused: %s', async (change, text) => {
    const { clock, client, open, readHead } = await engineWith()
    await clock.run(async () => {
      const { own, votes } = open(1, { initial: 8 })
      await votes.add(1)
      await clock.sleep(10_000)
      let answer: unknown
      let isThrottled = change === 'a growth'
      own.middlewareStack.add(
        (next) => async (args) => {
          const input = JSON.stringify(args.input)
          if (isThrottled && input.includes('ADD n')) {
            isThrottled = false
            throw new ThrottlingException({ message: 'throttled', $metadata: {} })
          }
          if (answer !== undefined || !input.includes(text)) return next(args)
          const N = String(SHARDS)
          const more = { shards: { N }, highest: { N }, steps: { L: [{ N }] }, made_by: { S: 'another' } }
          const TableName = 'counters'
          await client.send(new PutItemCommand({ TableName, Item: { ...(await readHead()), ...more } }))
          const Item = { id: { S: `Campaign#101#isotherm#${SHARDS}` }, n: { N: String(COUNTED) } }
          await client.send(new PutItemCommand({ TableName, Item }))
          answer = await next(args).catch((error: unknown) => error)
          throw answer
        },
        { step: 'initialize' },
      )
      if (change === 'a growth') await votes.add(0)
      else await votes.rollUp({ shards: 2 })
      expect(String(answer)).toContain('ConditionalCheckFailed')
      expect(await open(2).votes.value()).toBe(1 + COUNTED)
    })
  })
})

describe('a move that arrives after the table was made again', () => {
  it.each(['reset', 'rollUp'] as const)('takes nothing from the new counter: %s', async (move) => {
    const { clock, client, open } = await engineWith()
    await clock.run(async () => {
      const old = open(1, { initial: 8 }).votes
      for (let count = 0; count < 50; count++) await old.add(1)
      const { own, votes } = open(2)
      let isMadeAgain = false
      own.middlewareStack.add(
        (next) => async (args) => {
          if (isMadeAgain || !JSON.stringify(args.input).includes('ADD rolled_up')) return next(args)
          isMadeAgain = true
          await client.send(new DeleteTableCommand({ TableName: 'counters' }))
          await client.send(createTable('counters', ['id']))
          const fresh = open(3, { initial: 2 }).votes
          for (let count = 0; count < 5; count++) await fresh.add(1)
          return next(args)
        },
        { step: 'initialize' },
      )
      expect(await votes[move]()).toBe(5)
      expect(await open(4).votes.value()).toBe(move === 'reset' ? 0 : 5)
    })
  })

  it.each(['reset', 'rollUp'] as const)('is not disturbed by a growth: %s', async (move) => {
    const { clock, client, open } = await engineWith()
    await clock.run(async () => {
      const { own, votes } = open(1, { initial: 8 })
      for (let count = 0; count < 50; count++) await votes.add(1)
      let moves = 0
      own.middlewareStack.add(
        (next) => async (args) => {
          if (!JSON.stringify(args.input).includes('ADD rolled_up')) return next(args)
          moves += 1
          const UpdateExpression = 'SET shards = :more, highest = :more ADD generation :one'
          const ExpressionAttributeValues = { ':more': { N: '16' }, ':one': { N: '1' } }
          await client.send(new UpdateItemCommand({ ...ofHead, UpdateExpression, ExpressionAttributeValues }))
          return next(args)
        },
        { step: 'initialize' },
      )
      expect(await votes[move]()).toBe(50)
      expect(moves).toBe(1)
    })
  })
})
