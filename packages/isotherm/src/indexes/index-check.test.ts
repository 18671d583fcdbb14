import {
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { watchRequests } from '../../test/sent-requests.js'
import { scanned } from '../../test/sharded-engine.js'
import { warmedUp } from '../../test/warmed-up.js'
import { backfillIndexes } from '../client/backfill-indexes.js'
import { isotherm } from '../client/isotherm.js'
import type { IndexedTableOptions } from '../client/options.js'
import { ensureShardMap } from '../protocol/index.js'
import { type DynamicShards, dynamicShards, type FixedShards, fixedShards } from '../scaling/shards.js'

interface Given extends Pick<IndexedTableOptions, 'delimiter' | 'checkItems'> {
  readonly shards: FixedShards | DynamicShards
  readonly shardAttribute?: string
}

interface World {
  readonly client: DynamoDBClient
  readonly clock: VirtualClock
  /** The commands that are sent for the index. */
  readonly sent: string[]
  /** Which of the comparison's requests are denied. */
  readonly denied: Set<string>
  process(given: Given): ReturnType<typeof isotherm<DynamoDBClient>>
}

async function within(work: (world: World) => Promise<void>): Promise<void> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  const sent: string[] = []
  const denied = new Set<string>()
  await clock.run(async () => {
    await client.send(
      createTable('files', ['id:N'], {
        global: {
          by_status: ['isotherm_by_status', 'id:N'],
          by_both: { key: { hash: ['status', 'shard:N'], range: ['id:N'] } },
        },
      }),
    )
    await client.send(createTable('files_shard_map', ['id']))
    watchRequests(client, {
      before: ({ operation, input }) => {
        if (input.IndexName === undefined) return
        sent.push(operation)
        if (!denied.has(operation) || (operation === 'Query' && input.Limit !== 1)) return
        throw Object.assign(new Error('denied'), { name: 'AccessDeniedException', $fault: 'client' })
      },
    })
    await work({
      client,
      clock,
      sent,
      denied,
      process: ({ shards, shardAttribute, ...options }) => {
        const name = shardAttribute === undefined ? 'by_status' : 'by_both'
        const index = { partitionKey: 'status', sortKey: 'id', shards }
        const indexes = { [name]: shardAttribute === undefined ? index : { ...index, shardAttribute } }
        const files: IndexedTableOptions = { partitionKey: 'id', indexes, ...options }
        return isotherm(client, { tables: { files }, clock, random: new SeededRandom(2) })
      },
    })
  })
  await local.close()
}

type Db = ReturnType<World['process']>

async function fill(db: Db, statuses = ['open'], items = 60): Promise<void> {
  for (let id = 0; id < items; id++) {
    const Item = { id: { N: `${id}` }, status: { S: statuses[id % statuses.length] ?? '' } }
    await db.send(new PutItemCommand({ TableName: 'files', Item }))
  }
}

async function countOf(db: Db, status = 'open', IndexName = 'by_status'): Promise<number> {
  const { Count = 0 } = await db.send(
    new QueryCommand({
      TableName: 'files',
      IndexName,
      KeyConditionExpression: '#status = :status',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':status': { S: status } },
    }),
  )
  return Count
}

describe('a query of a sharded index', () => {
  it.each<[string, Given, Given, RegExp]>([
    [
      '10 shards, now 5',
      { shards: fixedShards(10) },
      { shards: fixedShards(5) },
      /fixedShards\(5\).*as it was/,
    ],
    ['10 shards, now 9', { shards: fixedShards(10) }, { shards: fixedShards(9) }, /"open" in shard 10/],
    [
      '10 shards, now dynamic from 1',
      { shards: fixedShards(10) },
      { shards: dynamicShards() },
      /the value has 1 in the shard map files_shard_map.*set initial: n/,
    ],
  ])('is refused where items would be missed: %s', (_what, before, after, message) =>
    within(async ({ process, client }) => {
      await fill(process(before))
      const db = process(after)
      for (let at = 0; at < 2; at++) {
        await expect(countOf(db)).rejects.toMatchObject({
          code: 'items.elsewhere',
          message: expect.stringMatching(message),
        })
      }
      // Writes continue: processes with the former options find what they store.
      await fill(db, ['open'], 1)
      expect(await scanned(client, 'files')).toHaveLength(60)
    }),
  )

  it('names the cure for a lost shard map of a table that is not sharded itself', () =>
    within(async ({ process, client, clock }) => {
      const shards = dynamicShards()
      const writer = process({ shards })
      await writer.shards('files', 'open', { index: 'by_status' }).set(8)
      await fill(writer)
      for (const { id } of await scanned(client, 'files_shard_map'))
        await client.send(
          new DeleteItemCommand({ TableName: 'files_shard_map', Key: { id: id ?? { S: '' } } }),
        )
      const db = process({ shards })
      await expect(countOf(db)).rejects.toThrow(
        /emptied or restored, create it with ensureShardMap if it is missing, and run backfillIndexes\.$/,
      )
      await ensureShardMap(client, { table: 'files', clock })
      const indexes = { by_status: { partitionKey: 'status', sortKey: 'id', shards } }
      const backfilling = {
        table: 'files',
        options: { partitionKey: 'id', indexes },
        unitsPerSecond: 1_000,
        clock,
      }
      await backfillIndexes(client, backfilling)
      expect(await countOf(process({ shards }))).toBe(60)
    }))

  it('is refused if the shard is an attribute of its own', () =>
    within(async ({ process }) => {
      const shardAttribute = 'shard'
      await fill(process({ shards: fixedShards(8), shardAttribute }))
      const fewer = process({ shards: fixedShards(6), shardAttribute })
      await expect(countOf(fewer, 'open', 'by_both')).rejects.toMatchObject({ code: 'items.elsewhere' })
      expect(await countOf(process({ shards: fixedShards(8), shardAttribute }), 'open', 'by_both')).toBe(60)
    }))

  it('goes on with a higher count, with the same one, and without the comparison', () =>
    within(async ({ process }) => {
      await fill(process({ shards: fixedShards(4) }))
      for (const shards of [fixedShards(4), fixedShards(8), dynamicShards({ initial: 4 })]) {
        expect(await countOf(process({ shards }))).toBe(60)
      }
      expect(await countOf(process({ shards: fixedShards(1), checkItems: false }))).toBeLessThan(60)
    }))

  it('goes on where another process has added shards since this one has read the shard map', () =>
    within(async ({ process }) => {
      const [reader, writer] = [dynamicShards(), dynamicShards()].map((shards) => process({ shards }))
      if (reader === undefined || writer === undefined) throw new Error('There are two.')
      await fill(reader, ['open'], 1)
      await writer.shards('files', 'open', { index: 'by_status' }).set(8)
      await fill(writer)
      expect(await countOf(reader)).toBeLessThanOrEqual(60)
      expect(await countOf(process({ shards: dynamicShards() }))).toBe(60)
    }))

  it('compares an empty index again, after a minute', () =>
    within(async ({ process, clock, sent }) => {
      const fewer = process({ shards: fixedShards(4) })
      expect(await countOf(fewer)).toBe(0)
      await fill(process({ shards: fixedShards(8) }))
      sent.length = 0
      await clock.sleep(59_000)
      expect(await countOf(fewer)).toBeLessThan(60)
      expect(sent).not.toContain('Scan')
      await clock.sleep(1_000)
      await expect(countOf(fewer)).rejects.toMatchObject({ code: 'items.elsewhere' })
    }))

  it('notices a deployment with a higher count beside it, within five minutes', () =>
    within(async ({ process, clock }) => {
      const old = process({ shards: fixedShards(4) })
      await fill(old)
      expect(await countOf(old)).toBe(60)
      await fill(process({ shards: fixedShards(8) }), ['open'], 120)
      await clock.sleep(299_000)
      expect(await countOf(old)).toBeLessThan(120)
      await clock.sleep(1_000)
      await expect(countOf(old)).rejects.toMatchObject({ code: 'items.elsewhere' })
    }))

  it('compares each of the first values once, and the delimiter once', () =>
    within(async ({ process, sent }) => {
      const statuses = Array.from({ length: 12 }, (_, at) => `status-${at}`)
      await fill(process({ shards: fixedShards(1) }), statuses)
      const db = process({ shards: fixedShards(1) })
      sent.length = 0
      for (let round = 0; round < 2; round++) for (const status of statuses) await countOf(db, status)
      expect(sent.filter((operation) => operation === 'Scan')).toHaveLength(1)
      // One query for each command, and one for each of eight values.
      expect(sent.filter((operation) => operation === 'Query')).toHaveLength(24 + 8)
    }))

  it.each(['Scan', 'Query'])('still compares the rest where a %s is denied', (operation) =>
    within(async ({ process, denied }) => {
      const same = { shards: fixedShards(4) }
      await fill(process(same))
      denied.add(operation)
      const other = operation === 'Scan' ? { shards: fixedShards(2) } : { ...same, delimiter: '#' }
      await expect(countOf(process(other))).rejects.toMatchObject({ code: 'items.elsewhere' })
      expect(await countOf(process(same))).toBe(60)
    }),
  )
})
