import { BatchWriteItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { isotherm } from '../client/isotherm.js'
import type { IsothermEvent } from '../events/event.js'
import { ensureShardMap } from '../protocol/shard-map/ensure-shard-map.js'
import { dynamicShards } from '../scaling/shards.js'

const SECONDS = 40
const BATCHES_PER_SECOND = 5
const ITEM_TEXT = 'x'.repeat(15 * 1_024)

it('a key that is hot because of batches gets more shards from its own metrics, and loses no members', async () => {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1) })
  const client = await warmedUp(local.client())
  const events: IsothermEvent[] = []
  const db = isotherm(client, {
    tables: {
      log: {
        partitionKey: 'file_path',
        sortKey: 'accessed_at',
        suffix: 'random',
        shards: dynamicShards({ cooldown: '5s', jitter: ['500ms', '1s'] }),
      },
    },
    clock,
    random: new SeededRandom(2),
    onEvent: (event) => events.push(event),
  })
  const written: number[] = []
  let leftLate = 0
  const send = async (from: number, isLate: boolean) => {
    const numbers = Array.from({ length: 25 }, (_, index) => from + index)
    const members = numbers.map((at) => ({
      PutRequest: {
        Item: { file_path: { S: '/hot' }, accessed_at: { N: String(at) }, text: { S: ITEM_TEXT } },
      },
    }))
    const { UnprocessedItems } = await db
      .send(new BatchWriteItemCommand({ RequestItems: { log: members } }))
      .catch(() => ({ UnprocessedItems: { log: members } }))
    const left = new Set(UnprocessedItems?.log?.map(({ PutRequest }) => PutRequest?.Item?.accessed_at?.N))
    if (isLate) leftLate += left.size
    written.push(...numbers.filter((at) => !left.has(String(at))))
  }
  await clock.run(async () => {
    await client.send(createTable('log', ['file_path', 'accessed_at:N']))
    await ensureShardMap(client, { table: 'log', clock })
    const batches: Promise<void>[] = []
    for (let batch = 0; batch < SECONDS * BATCHES_PER_SECOND; batch++) {
      await clock.sleep(1_000 / BATCHES_PER_SECOND)
      batches.push(send(batch * 25, batch > SECONDS * BATCHES_PER_SECOND * 0.75))
    }
    await Promise.all(batches)
    const read: number[] = []
    const input = {
      TableName: 'log',
      KeyConditionExpression: 'file_path = :file',
      ExpressionAttributeValues: { ':file': { S: '/hot' } },
      ProjectionExpression: 'accessed_at',
    }
    for await (const { Items = [] } of paginateQuery({ client: db }, input)) {
      read.push(...Items.map(({ accessed_at }) => Number(accessed_at?.N)))
    }
    expect(read).toEqual(written.toSorted((a, b) => a - b))
  })
  await local.close()
  expect(events.filter((event) => event.type === 'scaled').length).toBeGreaterThanOrEqual(1)
  expect(leftLate).toBeLessThan(25 * BATCHES_PER_SECOND * SECONDS * 0.25 * 0.02)
}, 60_000)
