import { type DynamoDBClient, PutItemCommand, TransactionConflictException } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../../test/sharded-engine.js'
import { MoveSender } from '../../attempts/move-sender.js'
import type { ItemKey } from '../../keys/item-key.js'
import type { LogicalKey } from '../../keys/key.js'
import { Suffix } from '../../keys/suffix.js'
import { dynamicShards } from '../../scaling/shards.js'
import { markItem } from './mark-item.js'
import type { MovingTable } from './moving-table.js'

const KEY: ItemKey = { logical: { S: 'k' } as LogicalKey, sort: { N: '1' } }
const NAME = { text: '3:7', target: 3 }

interface Delays {
  /** How long the mark waits for its turn. */
  readonly paceMilliseconds?: number
  /** How long the first attempt takes, which is refused because of another transaction. */
  readonly conflictMilliseconds?: number
}

/** Marks an item on a view that ends in a second. @returns the outcome, and the mark in the table */
async function marked({ paceMilliseconds = 0, conflictMilliseconds }: Delays) {
  const engine = await shardedEngine({ suffix: 'calculated', shards: dynamicShards() })
  const { client, clock } = engine
  await client.send(new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k_1' }, sk: { N: '1' } } }))
  let conflicts = conflictMilliseconds === undefined ? 0 : 1
  const send = async (command: unknown, options?: unknown) => {
    if (conflicts === 0) return client.send(command as never, options as never)
    conflicts -= 1
    await clock.sleep(conflictMilliseconds ?? 0)
    throw new TransactionConflictException({ message: 'Transaction is ongoing for the item', $metadata: {} })
  }
  const busy: DynamoDBClient = Object.create(client, { send: { value: send } })
  const pace = { take: () => clock.sleep(paceMilliseconds), throttled: () => {}, spent: () => {} }
  const table = tableOf({ ...engine, client: busy })
  const sender = new MoveSender(table, { maxAttempts: 5, pace, signal: undefined })
  const validUntil = clock.now() + 1_000
  const marking = { key: KEY, source: 1, name: NAME, before: undefined, validUntil }
  const outcome = await clock.run(() => markItem(table, sender, marking))
  const [item] = await scanned(client, 'log')
  await engine.close()
  return { outcome, mark: item?.isotherm_moving?.S }
}

function tableOf({ client, clock, random }: ShardedEngine): MovingTable {
  const options = { name: 'log', partitionKey: 'pk', sortKey: 'sk', lateRequestMilliseconds: 500 }
  return { client, clock, random, options, suffix: new Suffix('log', '_', false) } as unknown as MovingTable
}

describe('a mark', () => {
  it('is set while its view is valid, by whichever attempt', async () => {
    for (const delays of [{ paceMilliseconds: 999 }, { conflictMilliseconds: 100 }]) {
      const { outcome, mark } = await marked(delays)
      expect(outcome).toMatchObject({ isotherm_moving: { S: NAME.text } })
      expect(mark).toBe(NAME.text)
    }
  })

  it('is not set once its view has ended, which may be while it waits for its turn', async () => {
    expect(await marked({ paceMilliseconds: 1_000 })).toEqual({ outcome: 'stale', mark: undefined })
  })

  it('is not set once its view has ended, which may be after an attempt that failed', async () => {
    expect(await marked({ conflictMilliseconds: 1_000 })).toEqual({ outcome: 'stale', mark: undefined })
  })
})
