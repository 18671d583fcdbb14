import {
  type DynamoDBClient,
  PutItemCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, type StoredItem, scanned, shardedEngine } from '../../../test/sharded-engine.js'
import { isotherm } from '../../client/isotherm.js'
import type { IsothermEvent } from '../../events/event.js'
import { dynamicShards } from '../../scaling/shards.js'
import { jump } from '../placement/jump.js'
import { placeHash } from '../placement/place-hash.js'

/** A sort key whose place moves from shard 1 of 2 to shard 3 of 3. */
const SORT_KEY = Array.from({ length: 1_000 }, (_, sk) => sk).find((sk) => {
  const hash = placeHash([{ N: String(sk) }])
  return jump(hash, 2) === 0 && jump(hash, 3) === 2
})

function processOf({ client, clock }: ShardedEngine) {
  const events: IsothermEvent[] = []
  const shards = dynamicShards({ quiet: false })
  const db = isotherm<DynamoDBClient>(client, {
    tables: {
      log: {
        partitionKey: 'pk',
        sortKey: 'sk',
        suffix: 'calculated',
        shards,
        cacheTtl: '2s',
        lateRequests: '1s',
      },
    },
    clock,
    random: new SeededRandom(1),
    onEvent: (event) => events.push(event),
  })
  return { db, events, shards: db.shards('log', 'k') }
}

const stored = (shard: number, text: string): StoredItem => ({
  pk: { S: `k_${shard}` },
  sk: { N: String(SORT_KEY) },
  text: { S: text },
})

async function storedCopies(client: DynamoDBClient): Promise<readonly string[]> {
  const items = await scanned(client, 'log')
  return items
    .map(({ pk, text, isotherm_moving: mark }) => `${pk?.S} ${text?.S}${mark ? ' moving' : ''}`)
    .sort()
}

describe('an item that another process has moved and written to meanwhile', () => {
  it.each([{}, { twoCopies: 'discard' }] as const)(
    'is one item, also where the cancellation tells of a conflict at the place that it left: drain(%j)',
    async (options) => {
      const engine = await shardedEngine({ suffix: 'calculated', shards: dynamicShards() })
      const { client, clock } = engine
      let meddled = 0
      const send = async (command: unknown, options?: unknown) => {
        const output = await client.send(command as never, options as never)
        const isMove =
          command instanceof TransactWriteItemsCommand && command.input.TransactItems?.[1]?.Delete
        if (!isMove) return output
        meddled += 1
        await client.send(new PutItemCommand({ TableName: 'log', Item: stored(3, 'written since') }))
        const CancellationReasons = [{ Code: 'ConditionalCheckFailed' }, { Code: 'TransactionConflict' }]
        throw new TransactionCanceledException({ message: 'Cancelled.', $metadata: {}, CancellationReasons })
      }
      const meddling: DynamoDBClient = Object.create(client, { send: { value: send } })
      const { shards, events } = processOf({ ...engine, client: meddling })
      await clock.run(async () => {
        await shards.set(2)
        await shards.drain()
        await client.send(new PutItemCommand({ TableName: 'log', Item: stored(1, 'before') }))
        await shards.set(3)
        expect(await shards.drain(options)).toBe('settled')
        expect(await storedCopies(client)).toEqual(['k_3 written since'])
      })
      expect(meddled).toBe(1)
      expect(events.some(({ type }) => type === 'two-copies')).toBe(false)
      await engine.close()
    },
  )
})
