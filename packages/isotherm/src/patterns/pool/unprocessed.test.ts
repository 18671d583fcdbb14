import { CreateTableCommand, DeleteTableCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import type { IsothermError } from '../../index.js'
import { pool, poolTable } from './index.js'

const options = { table: 'vouchers', partitionKey: 'code' }
const table = new CreateTableCommand(poolTable(options))
const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`)

/** One partition that takes ten items a second. */
async function narrowEngine() {
  const capacity = { partitionWriteUnitsPerSecond: 10, onDemandPartitions: 1 }
  const engine = await patternEngine([table], { capacity })
  const { clock, client } = engine
  const open = (timeout: '60s' | '1s', seed = 1) =>
    pool(client, { ...options, clock, random: new SeededRandom(seed), timeout })
  return { ...engine, open, stored: () => storedIn(engine) }
}

async function storedIn({ client, clock }: Awaited<ReturnType<typeof patternEngine>>) {
  await clock.sleep(60_000)
  const stored: string[] = []
  let from: Record<string, never> | undefined
  do {
    const page = await client.send(new ScanCommand({ TableName: 'vouchers', ExclusiveStartKey: from }))
    stored.push(...(page.Items ?? []).map(({ code }) => code?.S ?? ''))
    from = page.LastEvaluatedKey as typeof from
  } while (from !== undefined)
  return stored
}

async function failureOf(call: Promise<unknown>): Promise<IsothermError<'pool.unprocessed'>> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ code: 'pool.unprocessed' })
  return error as IsothermError<'pool.unprocessed'>
}

describe('an add that the table does not take in time', () => {
  it.each([
    ['by batches', true],
    ['one by one', false],
  ])('names the ids that are left, %s', async (_how, batches) => {
    const { clock, open, stored } = await narrowEngine()
    await clock.run(async () => {
      const few = numbered('few', 200)
      expect(await open('60s').add(few, { batches })).toEqual({ added: 200, existing: [] })
      const many = numbered('many', 500)
      const error = await failureOf(open('1s').add(many, { batches }))
      expect(error.message).toMatch(
        /^\d+ of 500 items were not added to vouchers: .* for 1000 ms\. Add details/,
      )
      expect(error.details.ids.length).toBeGreaterThan(100)
      expect([...(await stored()), ...error.details.ids].sort()).toEqual([...few, ...many].sort())
    })
  })

  it('can be repeated with what is left, which sends nothing twice', async () => {
    const { clock, client, open, stored } = await narrowEngine()
    await clock.run(async () => {
      const old = numbered('old', 20)
      await open('60s').add(old)
      const refusedByCondition: string[] = []
      client.middlewareStack.add(
        (next) => (args) =>
          next(args).catch((error: unknown) => {
            if (Object(error).name === 'ConditionalCheckFailedException')
              refusedByCondition.push((args.input as { Item: { code: { S: string } } }).Item.code.S)
            throw error
          }),
        { step: 'initialize' },
      )
      const all = [...old, ...numbered('new', 100)]
      const existing: string[] = []
      let left: readonly string[] = all
      for (let tries = 0; left.length > 0; tries++) {
        expect(tries).toBeLessThan(100)
        try {
          existing.push(...(await open('1s', tries).add(left)).existing)
          left = []
        } catch (error) {
          const { details } = error as IsothermError<'pool.unprocessed'>
          expect(details.ids.length + details.existing.length).toBeLessThanOrEqual(left.length)
          existing.push(...details.existing)
          left = details.ids
        }
      }
      expect(existing.sort()).toEqual([...old].sort())
      expect(refusedByCondition.sort()).toEqual([...old].sort())
      expect((await stored()).sort()).toEqual([...all].sort())
    })
  })

  it.each([
    ['by batches', true],
    ['one by one', false],
  ])('ends in the same way when no answer comes, %s', async (_how, batches) => {
    const { clock, client } = await patternEngine([table], { throttle: false })
    client.middlewareStack.add(
      () => async () => {
        throw Object.assign(new Error('No answer came.'), { name: 'TimeoutError' })
      },
      { step: 'initialize' },
    )
    await clock.run(async () => {
      const vouchers = pool(client, { ...options, clock, random: new SeededRandom(1), timeout: '1s' })
      const error = await failureOf(vouchers.add(numbered('a', 60), { batches }))
      expect(error.message).toContain('60 of 60 items were not added to vouchers: one met TimeoutError')
      expect(error.cause).toMatchObject({ name: 'TimeoutError' })
    })
  })
})

it.each([
  ['by batches', true],
  ['one by one', false],
])('an add that DynamoDB refuses for good ends with the error of DynamoDB, %s', async (_how, batches) => {
  const { clock, client } = await patternEngine([table], { throttle: false })
  await clock.run(async () => {
    const vouchers = pool(client, { ...options, clock })
    await vouchers.add(['first'])
    await client.send(new DeleteTableCommand({ TableName: 'vouchers' }))
    const adding = vouchers.add(numbered('a', 1_000), { batches })
    await expect(adding).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  })
})
