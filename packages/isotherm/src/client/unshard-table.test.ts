import {
  DeleteItemCommand,
  DescribeTableCommand,
  PutItemCommand,
  type PutItemCommandInput,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { describe, expect, it } from 'vitest'
import { watchRequests } from '../../test/sent-requests.js'
import { type ShardedEngine, scanned, shardedEngine } from '../../test/sharded-engine.js'
import type { KeyShards } from '../scaling/key-shards.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'
import type { ShardedTableOptions } from './options.js'
import { unshardTable } from './unshard-table.js'

const KEYS = { partitionKey: 'pk', sortKey: 'sk' } as const
const TableName = 'log'
const item = (pk: string, sk: number, text = 'x') => ({
  pk: { S: pk },
  sk: { N: `${sk}` },
  text: { S: text },
})
const put = (Item: NonNullable<PutItemCommandInput['Item']>) => new PutItemCommand({ TableName, Item })
const inOrder = (items: readonly object[]) => items.map((each) => JSON.stringify(sorted(each))).sort()
const sorted = (of: object) => Object.fromEntries(Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1)))

type Options = Pick<ShardedTableOptions, 'suffix' | 'shards'> & Partial<ShardedTableOptions>

async function within(options: Options, work: (engine: ShardedEngine) => Promise<void>): Promise<void> {
  const engine = await shardedEngine({ cacheTtl: '2s', lateRequests: '1s', ...options })
  await engine.clock.run(() => work(engine))
  await engine.close()
}

const copyOf = ({ client, clock, random }: ShardedEngine, options: Options, more = {}) =>
  unshardTable(client, {
    table: TableName,
    options: { ...KEYS, cacheTtl: '2s', lateRequests: '1s', ...options },
    to: 'plain',
    unitsPerSecond: 10_000,
    clock,
    random,
    ...more,
  })

describe('a copy of a sharded table to a plain one', () => {
  it.each<Options>([
    { suffix: 'random', shards: dynamicShards() },
    { suffix: 'calculated', shards: dynamicShards() },
    { suffix: 'calculated', shards: dynamicShards(), adopt: true },
    { suffix: 'calculated', shards: dynamicShards({ initial: 3 }), delimiter: '#' },
    { suffix: 'random', shards: fixedShards(5) },
    { suffix: 'calculated', shards: fixedShards(5) },
  ])('has every item under its logical key, and follows what has changed since: $suffix', (options) =>
    within(options, async (engine) => {
      const db = engine.process()
      const wanted = Array.from({ length: 90 }, (_, at) => item(`k${at % 3}`, at))
      for (const each of wanted.slice(0, 60)) await db.send(put(each))
      if (options.shards.kind === 'dynamic') {
        await db.shards(TableName, 'k0').set(6)
        await engine.clock.sleep(60_000)
      }
      for (const each of wanted.slice(60)) await db.send(put(each))
      expect(await copyOf(engine, options)).toEqual({ scanned: 90, copied: 90, deleted: 0 })
      expect(inOrder(await scanned(engine.client, 'plain'))).toEqual(inOrder(wanted))

      const changed = item('k1', 1, 'changed')
      if (options.suffix === 'calculated') await db.send(put(changed))
      await db.send(new DeleteItemCommand({ TableName, Key: { pk: { S: 'k2' }, sk: { N: '2' } } }))
      await db.send(put(item('new', 1)))
      const copied = options.suffix === 'calculated' ? 2 : 1
      expect(await copyOf(engine, options, { deleteOthers: true })).toEqual({
        scanned: 90,
        copied,
        deleted: 1,
      })
      const now = [...wanted.filter((_, at) => at !== 2), item('new', 1)]
      const left =
        options.suffix === 'calculated'
          ? now.map((each) => (each.sk.N === '1' && each.pk.S === 'k1' ? changed : each))
          : now
      expect(inOrder(await scanned(engine.client, 'plain'))).toEqual(inOrder(left))
      expect(await copyOf(engine, options, { deleteOthers: true })).toMatchObject({ copied: 0, deleted: 0 })
    }),
  )

  it.each<Options>([
    { suffix: 'calculated', shards: dynamicShards() },
    { suffix: 'calculated', shards: dynamicShards(), adopt: true },
    { suffix: 'random', shards: dynamicShards({ shrink: 'always' }) },
  ])('has every item when a key is moved while it is scanned: $suffix', (options) =>
    within(options, async (engine) => {
      const db = engine.process()
      const wanted = Array.from({ length: 300 }, (_, at) => item(`k${at % 2}`, at))
      const { shards, suffix } = options
      if (suffix === 'random') await db.shards(TableName, 'k0').set(8)
      for (const each of wanted) await db.send(put(each))
      let changed: Promise<unknown> | undefined
      const onProgress = () => {
        changed ??= changes()
      }
      const changes = async () => {
        const key = db.shards(TableName, 'k0')
        await key.set(suffix === 'random' ? 4 : 7)
        await key.drain({ unitsPerSecond: 10_000 })
      }
      expect(shards.kind).toBe('dynamic')
      await copyOf(engine, options, { unitsPerSecond: 10, onProgress })
      await changed
      expect(inOrder(await scanned(engine.client, 'plain'))).toEqual(inOrder(wanted))
    }),
  )

  it.each<Options>([
    { suffix: 'calculated', shards: dynamicShards({ shrink: 'always' }) },
    { suffix: 'random', shards: dynamicShards({ shrink: 'always' }) },
  ])('has every item when keys get the initial count again while they are scanned: $suffix', (options) =>
    within(options, async (engine) => {
      const db = engine.process()
      const keys = ['k0', 'k1', 'k2', 'k3']
      const each = (change: (key: KeyShards) => Promise<unknown>) =>
        Promise.all(keys.map((key) => change(db.shards(TableName, key))))
      await each((key) => key.set(6))
      await each((key) => key.drain())
      const wanted = Array.from({ length: 300 }, (_, at) => item(`k${at % 4}`, at))
      for (const item of wanted) await db.send(put(item))
      await engine.clock.sleep(600_000)
      let changed: Promise<unknown> | undefined
      const onProgress = () => {
        changed ??= each(async (key) => {
          await key.set(1)
          await key.drain({ unitsPerSecond: 10_000 })
        })
      }
      await copyOf(engine, options, { unitsPerSecond: 10, onProgress })
      await changed
      expect(inOrder(await scanned(engine.client, 'plain'))).toEqual(inOrder(wanted))
    }),
  )

  it('is refused while the initial count of all keys is changed', () => {
    const options = { suffix: 'calculated', shards: dynamicShards() } as const
    return within(options, async (engine) => {
      const db = engine.process()
      for (let at = 0; at < 10; at++) await db.send(put(item('k', at)))
      const migrated = db.migrate(TableName, { initial: 3 })
      await engine.clock.sleep(2_000)
      await expect(copyOf(engine, options)).rejects.toMatchObject({ code: 'counts.migrating' })
      await migrated
      await engine.clock.sleep(60_000)
      expect(await copyOf(engine, { ...options, shards: dynamicShards({ initial: 3 }) })).toMatchObject({
        copied: 10,
      })
    })
  })

  it('takes what a query gives for an item that was put into two shards', () => {
    const options = { suffix: 'random', shards: fixedShards(4) } as const
    return within(options, async (engine) => {
      for (const shard of [3, 2, 4]) await engine.client.send(put(item(`k_${shard}`, 1, `in ${shard}`)))
      for (let time = 0; time < 2; time++) {
        await copyOf(engine, options)
        expect(await scanned(engine.client, 'plain')).toEqual([item('k', 1, 'in 2')])
      }
    })
  })

  it('does not use more units than it may', () => {
    const options = { suffix: 'calculated', shards: dynamicShards() } as const
    return within(options, async (engine) => {
      const { client, clock } = engine
      const db = engine.process()
      for (let at = 0; at < 80; at++) await db.send(put(item('k', at, 'x'.repeat(5_000))))
      let used = 0
      watchRequests(client, {
        after: (_, { read, write }) => {
          used += read + write
        },
      })
      const from = clock.now()
      await copyOf(engine, options, { unitsPerSecond: 100 })
      expect(used / ((clock.now() - from) / 1_000)).toBeLessThan(110)
    })
  })

  it('is refused for a table with another key, for the table itself, and with other options', () => {
    const options = { suffix: 'calculated', shards: dynamicShards() } as const
    return within(options, async (engine) => {
      const db = engine.process()
      await db.send(put(item('k', 1)))
      await engine.client.send(createTable('other', ['pk', 'sk']))
      await expect(copyOf(engine, options, { to: 'other' })).rejects.toMatchObject({
        code: 'options.invalid',
        message:
          'unshardTable.to is "other"; it must be a table with the key of log, pk S and sk N; it has pk S and sk S.',
      })
      await expect(copyOf(engine, options, { to: 'log' })).rejects.toMatchObject({ code: 'options.invalid' })
      const { Table } = await engine.client.send(new DescribeTableCommand({ TableName }))
      await expect(copyOf(engine, options, { to: Table?.TableArn })).rejects.toMatchObject({
        code: 'options.invalid',
        message: expect.stringContaining('it must be another table than log'),
      })
      await expect(copyOf(engine, { ...options, suffix: 'random' })).rejects.toMatchObject({
        code: 'card.differs',
      })
      expect(await scanned(engine.client, 'plain')).toEqual([])
    })
  })
})
