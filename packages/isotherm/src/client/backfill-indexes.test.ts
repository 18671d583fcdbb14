import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import {
  itemOf,
  open,
  RANDOM,
  SHADOW,
  SHARD_ATTRIBUTE,
  update,
  withTwins,
} from '../../test/indexed-requests.js'
import { INDEXED_DESIGNS } from '../../test/indexed-twins.js'
import type { StoredItem } from '../../test/sharded-engine.js'
import { warmedUp } from '../../test/warmed-up.js'
import type { BackfillProgress } from '../indexes/backfill.js'
import { ensureShardMap } from '../protocol/index.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'
import { backfillIndexes } from './backfill-indexes.js'
import { isotherm } from './isotherm.js'

describe('the backfill of indexes', () => {
  it.each([SHADOW, SHARD_ATTRIBUTE, RANDOM])('adds existing items, with $name', async (design) => {
    await withTwins(design, async (twins) => {
      const { plain, db, clock } = twins
      const stored = (file: number) =>
        design.suffix === 'random' ? { ...itemOf(file), folder: { S: 'a_2' } } : itemOf(file)
      for (let file = 0; file < 30; file++) {
        await plain.send(new PutItemCommand({ TableName: 'files', Item: stored(file) }))
      }
      // One item without a status, and one to which something else has written a wrong key.
      await plain.send(
        new PutItemCommand({ TableName: 'files', Item: { ...stored(30), status: { S: 'closed' } } }),
      )
      expect(await twins.query(db, 'files', open)).toEqual([])
      const given = { table: 'files', options: twins.options, clock }
      expect(await backfillIndexes(plain, given)).toEqual({
        scanned: 31,
        written: 31,
        changed: 0,
        lastKey: undefined,
      })
      const found = await twins.query(db, 'files', open)
      expect(found).toEqual(Array.from({ length: 30 }, (_, file) => itemOf(file)))
      expect(await backfillIndexes(plain, given)).toMatchObject({ scanned: 31, written: 0 })
    })
  })

  it.each(INDEXED_DESIGNS)('accepts the options of a client, with $name', async (design) => {
    await withTwins(design, async ({ plain, options, clock }) => {
      const progress = await backfillIndexes(plain, { table: 'files', options, clock })
      expect(progress).toMatchObject({ scanned: 0, written: 0 })
    })
  })

  it('corrects a wrong key, and resumes where it was stopped', async () => {
    await withTwins(SHADOW, async (twins) => {
      const { plain, db, clock } = twins
      const text = { S: 'x'.repeat(300_000) }
      for (let file = 0; file < 8; file++) {
        const key = file === 0 ? { isotherm_by_status: { S: 'closed_1' } } : {}
        await plain.send(new PutItemCommand({ TableName: 'files', Item: { ...itemOf(file), text, ...key } }))
      }
      const given = { table: 'files', options: twins.options, clock }
      const ending = new AbortController()
      const { signal } = ending
      let lastKey: StoredItem | undefined
      const first = backfillIndexes(plain, {
        ...given,
        signal,
        onProgress: (progress) => {
          lastKey = progress.lastKey
          ending.abort(new Error('enough'))
        },
      })
      await expect(first).rejects.toThrow('enough')
      expect(lastKey).toBeDefined()
      const rest = await backfillIndexes(plain, { ...given, ...(lastKey && { startKey: lastKey }) })
      expect(rest.scanned).toBeLessThan(8)
      const found = await twins.query(db, 'files', open)
      expect(found.map(({ file }) => file?.N)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
    })
  })

  it('skips an item that another process changes at the same time', async () => {
    await withTwins(SHADOW, async (twins) => {
      const { plain, db, clock } = twins
      for (const file of [1, 2])
        await plain.send(new PutItemCommand({ TableName: 'files', Item: itemOf(file) }))
      const outrun = Object.create(plain, {
        send: {
          value: async (command: ScanCommand) => {
            const output = await plain.send(command)
            if (command instanceof ScanCommand)
              await db.send(update('SET #status = :x', { ':x': { S: 'closed' } }))
            return output
          },
        },
      })
      const progress = await backfillIndexes(outrun, { table: 'files', options: twins.options, clock })
      expect(progress).toMatchObject({ scanned: 2, written: 1, changed: 1 })
      expect((await twins.query(db, 'files', open)).map(({ file }) => file?.N)).toEqual(['2'])
    })
  })

  it('adds items that are moved to another shard while the table is scanned', async () => {
    const clock = new VirtualClock()
    const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
    const plain = await warmedUp(local.client())
    const table = {
      partitionKey: 'folder',
      sortKey: 'file',
      suffix: 'calculated',
      shards: dynamicShards(),
      cacheTtl: '2s',
      lateRequests: '1s',
    } as const
    const index = { partitionKey: 'status', shards: fixedShards(3) }
    const options = { ...table, indexes: { by_status: index } }
    await clock.run(async () => {
      const global = { by_status: ['isotherm_by_status'] as const }
      await plain.send(createTable('files', ['folder', 'file:N'], { global }))
      await ensureShardMap(plain, { table: 'files', clock })
      const before = isotherm(plain, { tables: { files: table }, clock, random: new SeededRandom(2) })
      for (let file = 0; file < 300; file++) {
        await before.send(
          new PutItemCommand({
            TableName: 'files',
            Item: { ...itemOf(file), folder: { S: 'a' }, text: { S: 'x'.repeat(12_000) } },
          }),
        )
      }
      const db = isotherm(plain, { tables: { files: options }, clock, random: new SeededRandom(3) })
      const grown = async () => {
        await db.shards('files', 'a').set(6)
        await db.shards('files', 'a').drain({ unitsPerSecond: 10_000 })
      }
      const elsewhere = { ...options, shardMap: 'elsewhere' }
      await expect(
        backfillIndexes(plain, { table: 'files', options: elsewhere, clock }),
      ).rejects.toMatchObject({
        code: 'shard-map.missing',
      })
      let changed: Promise<unknown> | undefined
      const reported: BackfillProgress[] = []
      const onProgress = (progress: BackfillProgress) => {
        reported.push(progress)
        changed ??= grown()
      }
      const progress = await backfillIndexes(plain, {
        table: 'files',
        options,
        clock,
        unitsPerSecond: 20,
        onProgress,
      })
      await changed
      expect(progress).toMatchObject({ written: 300, changed: 0 })
      expect(reported.filter(({ lastKey }) => lastKey === undefined)).toEqual([progress])
    })
    await local.close()
  })
})
