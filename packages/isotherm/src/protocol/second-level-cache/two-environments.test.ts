import { type DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { MemoryCache } from '../../../test/shared-map.js'
import { warmedUp } from '../../../test/warmed-up.js'
import { isotherm } from '../../client/isotherm.js'
import { dynamicShards } from '../../scaling/shards.js'

const ITEMS = 40

/** One account or region, with the tables that each of them has, and the cache that all of them use. */
async function environment(clock: VirtualClock, cache: MemoryCache, seed: number) {
  const local = createLocal({ clock, random: new SeededRandom(seed), throttle: false })
  const client = await warmedUp(local.client())
  await client.send(createTable('log', ['pk', 'sk:N']))
  await client.send(createTable('log_shard_map', ['pk']))
  const process = (number: number) =>
    isotherm<DynamoDBClient>(client, {
      tables: { log: { partitionKey: 'pk', sortKey: 'sk', suffix: 'random', shards: dynamicShards() } },
      secondLevelCache: { cache },
      clock,
      random: new SeededRandom(seed + number),
    })
  return { process, close: () => local.close() }
}

it('counts of an index, which no card tells apart, are not shared', async () => {
  const clock = new VirtualClock()
  const cache = new MemoryCache()
  const local = createLocal({ clock, throttle: false })
  const client = await warmedUp(local.client())
  await client.send(
    createTable('files', ['file'], { global: { by_status: { key: { hash: ['isotherm_by_status'] } } } }),
  )
  await client.send(createTable('files_shard_map', ['file']))
  const files = {
    partitionKey: 'file',
    indexes: { by_status: { partitionKey: 'status', shards: dynamicShards() } },
  }
  const process = isotherm<DynamoDBClient>(client, {
    tables: { files },
    secondLevelCache: { cache },
    clock,
    random: new SeededRandom(1),
  })
  await clock.run(async () => {
    const Item = { file: { S: 'f' }, status: { S: 'open' } }
    await process.send(new PutItemCommand({ TableName: 'files', Item }))
    const query = new QueryCommand({
      TableName: 'files',
      IndexName: 'by_status',
      KeyConditionExpression: '#s = :s',
      ExpressionAttributeNames: { '#s': 'status' },
      ExpressionAttributeValues: { ':s': { S: 'open' } },
    })
    expect((await process.send(query)).Count).toBe(1)
  })
  expect([...cache.texts]).toEqual([])
  process.destroy()
  await local.close()
})

it('a process does not take the counts of another account or region from a cache that both use', async () => {
  const clock = new VirtualClock()
  const cache = new MemoryCache()
  const [production, staging] = await Promise.all([
    environment(clock, cache, 10),
    environment(clock, cache, 20),
  ])
  const processes = [production.process(1), production.process(2), staging.process(1)] as const
  const [writer, reader, tester] = processes
  await clock.run(async () => {
    await writer.shards('log', 'k').set(8)
    for (let sk = 0; sk < ITEMS; sk++) {
      await writer.send(
        new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' }, sk: { N: String(sk) } } }),
      )
    }
    await clock.sleep(1_000)
    await tester.shards('log', 'k').set(2)
    const query = new QueryCommand({
      TableName: 'log',
      KeyConditionExpression: 'pk = :k',
      ExpressionAttributeValues: { ':k': { S: 'k' } },
    })
    expect((await reader.send(query)).Count).toBe(ITEMS)
  })
  for (const process of processes) process.destroy()
  await Promise.all([production.close(), staging.close()])
})
