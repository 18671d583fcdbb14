import { UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import { dynamicShards } from '../scaling/shards.js'

const CACHE = 200
const DEADLINE = 1_000
/** An attempt ends at the latest with its view and half of lateRequests. */
const ATTEMPT = CACHE + 50

const ADD = new UpdateItemCommand({
  TableName: 'log',
  Key: { pk: { S: 'k' }, sk: { N: '1' } },
  UpdateExpression: 'ADD n :one',
  ExpressionAttributeValues: { ':one': { N: '1' } },
})

/** Adds to an item whose updates arrive, and are answered never. */
async function added(suffix: 'random' | 'calculated', maxAttempts: number) {
  const table = {
    partitionKey: 'pk',
    sortKey: 'sk',
    suffix,
    shards: dynamicShards(),
    cacheTtl: `${CACHE}ms`,
    lateRequests: '100ms',
    retryDeadline: `${DEADLINE}ms`,
    maxAttempts,
  } as const
  const { client, clock, random, close } = await shardedEngine(table)
  let isSilent = false
  let executed = 0
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const { TableName } = args.input as { TableName?: string }
      if (TableName !== 'log' || context.commandName !== 'UpdateItemCommand') return next(args)
      const answer = await next(args)
      executed += 1
      if (!isSilent) return answer
      // As the handler of a client does whose deadline comes.
      await clock.sleep(ATTEMPT)
      throw Object.assign(new Error('timeout'), { name: 'TimeoutError', $metadata: {} })
    },
    { step: 'deserialize', priority: 'high' },
  )
  const db = isotherm(client, { tables: { log: table }, clock, random })
  const result = await clock.run(async () => {
    await db.send(ADD)
    isSilent = true
    executed = 0
    const from = clock.now()
    const error: unknown = await db.send(ADD).catch((thrown: unknown) => thrown)
    return { error, elapsed: clock.now() - from }
  })
  await close()
  return { ...result, executed }
}

describe.each(['random', 'calculated'] as const)(
  'a %s update whose attempts are never answered',
  (suffix) => {
    it.each([2, 3, 20])('ends with maxAttempts %i, or soon after retryDeadline', async (maxAttempts) => {
      const { error, elapsed, executed } = await added(suffix, maxAttempts)
      expect(error).toMatchObject({ name: 'TimeoutError', $metadata: { attempts: executed } })
      // Four attempts end before the deadline.
      expect(executed).toBe(Math.min(maxAttempts, 4))
      expect(elapsed).toBeLessThanOrEqual(DEADLINE + ATTEMPT)
    })
  },
)
