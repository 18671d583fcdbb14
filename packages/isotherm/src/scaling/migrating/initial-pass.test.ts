import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { countOf, fill, found, places, store, within } from '../../../test/migrating.js'
import { watchRequests } from '../../../test/sent-requests.js'
import { scanned } from '../../../test/sharded-engine.js'
import type { MoveSender } from '../../attempts/move-sender.js'
import { isotherm } from '../../client/isotherm.js'
import { Suffix } from '../../keys/suffix.js'
import type { ShardView } from '../../protocol/index.js'
import { PassOvertaken } from '../drain-pass.js'
import { initialPass } from './initial-pass.js'
import type { MigrationProgress } from './migrate.js'
import type { MigratedTable } from './migrated-table.js'

describe('the progress of a migration', () => {
  it.each([
    ['calculated', ['announced', 'moved', 'draining', 'draining']],
    ['random', ['retired', 'retired']],
  ] as const)('counts the items that were read, moved, and left in two shards (%s)', (suffix, phases) =>
    within(countOf(suffix, 4), async (engine) => {
      // The card is made before, so that the items are not compared with the options.
      await found(engine.process(), 'a')
      for (const shard of [1, 2, 3, 4]) await store(engine.client, `a_${shard}`, shard)
      for (const shard of [1, 2]) await store(engine.client, `b_${shard}`, 9, { shard: { N: String(shard) } })
      await store(engine.client, 'without a suffix', 1)
      await engine.clock.sleep(8 * 3_600_000)
      const told: MigrationProgress[] = []
      const { outcome } = await engine
        .process()
        .migrate('log', { initial: 1, onProgress: (progress) => told.push(progress) })
      expect(outcome).toBe('two-copies')
      const last = { phase: phases.at(-1), scanned: 7, moved: 3, twoCopies: 1, ofAbout: 7 }
      const waiting = { scanned: 0, moved: 0, twoCopies: 0, ofAbout: 7 }
      expect(told).toEqual([...phases.slice(0, -1).map((phase) => ({ ...waiting, phase })), last])
      expect(await places(engine)).toContain('without a suffix 1')
    }),
  )
})

describe('the pass of a migration', () => {
  it('reads only keys and marks, and marks no item that is marked', () =>
    within(countOf('calculated', 4), async (engine) => {
      const { client } = engine
      await fill(engine.process(), 'a', 1)
      await engine.process().migrate('log', { initial: 4 })
      const [item] = await scanned(client, 'log')
      const from = Number(item?.pk?.S?.slice(2))
      // A process that had begun to move the item has ended.
      await store(client, `b_${from === 4 ? 3 : 4}`, 0)
      await store(client, 'c_4', 0, { isotherm_moving: { S: '1:7' } })
      const sent: string[] = []
      const scans: object[] = []
      watchRequests(client, {
        before: ({ operation, input }) => {
          const { TableName, Key } = input as { TableName?: string; Key?: { pk: { S: string } } }
          if (operation === 'Scan' && TableName === 'log') scans.push(input)
          if (TableName === 'log' && Key !== undefined) sent.push(`${operation} ${Key.pk.S.slice(0, 1)}`)
        },
      })
      expect((await engine.process().migrate('log', { initial: 1 })).outcome).toBe('settled')
      expect(scans).toEqual([
        expect.objectContaining({ ProjectionExpression: '#key, #moving, #sort', ConsistentRead: true }),
      ])
      expect(sent.filter((each) => each.endsWith(' b'))).toEqual(['UpdateItem b'])
      expect(sent.filter((each) => each.endsWith(' c'))).toEqual(['GetItem c'])
      expect(await places(engine)).toEqual(['a_1 0', 'b_1 0', 'c_1 0'])
    }))

  it('moves items of a table whose key is of bytes', () =>
    within(countOf('calculated', 1), async ({ client, clock }) => {
      await client.send(createTable('files', ['pk:B', 'sk:N']))
      await client.send(createTable('files_shard_map', ['pk:B']))
      const files = { ...countOf('calculated', 4), partitionKey: 'pk', sortKey: 'sk' }
      const process = () => isotherm(client, { tables: { files }, clock, random: new SeededRandom(3) })
      const keys = Array.from({ length: 12 }, (_, n) => ({
        pk: { B: Buffer.from(`k${n}`) },
        sk: { N: String(n) },
      }))
      for (const Item of keys) await process().send(new PutItemCommand({ TableName: 'files', Item }))
      const hot = process().shards('files', Buffer.from('k0'))
      await hot.set(7)
      await hot.drain()
      const result = await process().migrate('files', { initial: 1, keys: 'all' })
      expect(result).toMatchObject({ outcome: 'settled', ownCounts: 0 })
      for (const Key of keys) {
        const { Item } = await process().send(new GetItemCommand({ TableName: 'files', Key }))
        expect(Item).toBeDefined()
      }
      const stored = (await scanned(client, 'files')).map(({ pk }) => Buffer.from(pk?.B ?? '').toString())
      expect(stored.toSorted()).toEqual(keys.map(({ pk }) => `${pk.B}_1`).toSorted())
    }))

  it('leaves an item of a random key that was appended after the key had grown again', () =>
    // The last renewal before the pass reads the card: with this lifetime, it is fresh when the pass begins.
    within({ ...countOf('random', 4), cacheTtl: '60s' }, async (engine) => {
      const { client } = engine
      for (const key of ['a', 'b', 'c']) await fill(engine.process(), key, 8)
      const grown = engine.process().shards('log', 'a')
      const appended: string[] = []
      client.middlewareStack.add(
        (next, { commandName }) =>
          async (args) => {
            const { TableName } = args.input as { readonly TableName?: string }
            if (commandName === 'ScanCommand' && TableName === 'log' && appended.length === 0) {
              await grown.set(5)
              for (const shard of [2, 3, 4, 5]) {
                appended.push(`a_${shard} ${100 + shard}`)
                await store(client, `a_${shard}`, 100 + shard)
              }
            }
            return next(args)
          },
        { step: 'initialize', name: 'growth' },
      )
      expect((await engine.process().migrate('log', { initial: 1 })).outcome).toBe('settled')
      const stored = await places(engine)
      expect(appended).toHaveLength(4)
      expect(stored).toEqual(expect.arrayContaining(appended))
      expect(stored.filter((place) => !place.startsWith('a_'))).toEqual(
        ['b', 'c'].flatMap((key) => Array.from({ length: 8 }, (_, sk) => `${key}_1 ${sk}`)),
      )
    }))

  it('moves many items at a time without a warning about listeners of the signal', () =>
    within(countOf('random', 4), async (engine) => {
      const warned: Error[] = []
      const onWarning = (warning: Error) => warned.push(warning)
      process.on('warning', onWarning)
      for (let key = 0; key < 20; key++) await store(engine.client, `k${key}_4`)
      const { signal } = new AbortController()
      const options = { initial: 1, signal, unitsPerSecond: 10 }
      expect((await engine.process().migrate('log', options)).outcome).toBe('settled')
      await new Promise((resolve) => setImmediate(resolve))
      process.off('warning', onWarning)
      expect(warned).toEqual([])
    }))

  it('moves no item if another process has written the state since', async () => {
    const at = {
      table: {
        options: { name: 'log', partitionKey: 'pk', sortKey: undefined },
        suffix: new Suffix('log', '_', false),
      },
      shardMap: {
        forWrite: async () =>
          ({ shards: 2, state: { phase: 'draining', shards: 2, lastUpdated: 6 } }) as unknown as ShardView,
        hasOwnCount: async () => false,
      },
    } as unknown as MigratedTable
    const pages: unknown[] = []
    const pass = initialPass(at, {
      sender: {
        scanPage: async () => ({ Items: [{ pk: { S: 'a_4' } }] }),
        turn: async () => {},
      } as unknown as MoveSender,
      written: () => ({ phase: 'draining', shards: 2, lastUpdated: 5, history: ['5:2'], from: 4, to: 2 }),
      position: undefined,
      discards: false,
      signal: new AbortController().signal,
      onPage: async (progress) => void pages.push(progress),
    })
    await expect(pass).rejects.toBeInstanceOf(PassOvertaken)
    expect(pages).toEqual([])
  })
})
