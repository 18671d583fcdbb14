import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { VirtualClock } from '@isotherm/runtime'
import { expect, it, vi } from 'vitest'
import { shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from './shards.js'

/** So many items at this rate move for longer than the time after which the driver renews the phase. */
const ITEMS = 300
const UNITS_PER_SECOND = 10

/** A phase of minutes, so that its driver has to renew it. */
const OPTIONS = {
  suffix: 'calculated',
  shards: dynamicShards({ quiet: false }),
  cacheTtl: '10s',
  lateRequests: '5m',
} as const

/** Most of the time between two items at the rate. So a request is under way when the renewal begins. */
const LATENCY_MILLISECONDS = 350

/** From the first renewal of the phase *moved* on, the shard map answers late, and requests to the items are denied. */
function failFromRenewal(client: DynamoDBClient, clock: VirtualClock): () => boolean {
  let renewals = 0
  let hasFailed = false
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'TransactWriteItemsCommand') await clock.sleep(LATENCY_MILLISECONDS)
        const input = args.input as {
          readonly TableName?: string
          readonly ExpressionAttributeValues?: object
        }
        if (input.TableName === 'log_shard_map' && JSON.stringify(input).includes('"moved"')) {
          renewals += 1
          if (renewals === 2) await clock.sleep(30_000)
        } else if (renewals === 2) {
          hasFailed = true
          throw Object.assign(new Error('Not allowed.'), { name: 'AccessDeniedException' })
        }
        return next(args)
      },
    { step: 'initialize', name: 'failFromRenewal' },
  )
  return () => hasFailed
}

it('rejects a drain whose items cannot be moved while its change is renewed, and leaves no rejection unhandled', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const engine = await shardedEngine(OPTIONS)
  const { client, clock } = engine
  await clock.run(async () => {
    const db = engine.process()
    const Items = Array.from({ length: ITEMS }, (_, sk) => ({ pk: { S: 'k' }, sk: { N: String(sk) } }))
    for (let from = 0; from < ITEMS; from += 25) {
      const members = Items.slice(from, from + 25).map((Item) => ({ PutRequest: { Item } }))
      await db.send(new BatchWriteItemCommand({ RequestItems: { log: members } }))
    }
    const hasFailed = failFromRenewal(client, clock)
    const shards = db.shards('log', 'k')
    await shards.set(4)
    await expect(shards.drain({ unitsPerSecond: UNITS_PER_SECOND })).rejects.toMatchObject({
      name: 'AccessDeniedException',
    })
    expect(hasFailed()).toBe(true)
    db.destroy()
  })
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
  await engine.close()
})
