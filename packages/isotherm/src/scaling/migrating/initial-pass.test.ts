import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { countOf, fill, found, places, store, within } from '../../../test/migrating.js'
import { watchRequests } from '../../../test/sent-requests.js'
import { scanned } from '../../../test/sharded-engine.js'
import type { MoveSender } from '../../attempts/move-sender.js'
import { isotherm } from '../../client/isotherm.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import { keyText, type LogicalKey } from '../../keys/key.js'
import { Suffix } from '../../keys/suffix.js'
import type { ShardState, ShardView } from '../../protocol/index.js'
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
    const overtaken = passOver([[item('a_4', 1)]], { written: { ...MOVING, lastUpdated: 5 } })
    await expect(overtaken.done).rejects.toBeInstanceOf(PassOvertaken)
    expect(overtaken.pages).toEqual([])
  })

  it('reads keys again that may have grown before the page was read: listed ones with items that would leave, each once', async () => {
    const items = ['a_4', 'a_3', 'b_2', 'c_4'].map((key, sk) => item(key, sk))
    const pass = passOver([items], { placementKind: 'random', listed: ['a', 'b'] })
    await pass.done
    expect(pass.asked.filter((each) => each.startsWith('reread'))).toEqual(['reread a'])
    expect(pass.asked.indexOf('reread a')).toBeLessThan(pass.asked.indexOf('view a'))
    expect(pass.pages).toEqual([[{ scanned: 4, moved: 0, twoCopies: 0 }, undefined]])
  })

  it('reads no key again if no item would leave, or the suffix is calculated', async () => {
    for (const options of [
      { placementKind: 'random', listed: ['a'], items: ['a_2'] },
      { placementKind: 'calculated', listed: ['a'], items: ['a_4'] },
    ] as const) {
      const pass = passOver([options.items.map((key) => item(key, 1))], options)
      await pass.done
      expect(pass.asked).toEqual(['view a', 'view a'].slice(0, pass.asked.length))
    }
  })

  it.each([
    ['shard', ['view a', 'view b']],
    ['item', ['view a', 'view a', 'view b']],
  ] as const)(
    'goes on behind an item without room, and leaves the key if its shard is full (%s)',
    async (reason, asked) => {
      const noRoom = new IsothermError('move.no-room', 'It has no room.', {
        table: 'log',
        logicalKey: 'a',
        sortKey: { N: '1' },
        source: 4,
        target: 2,
        reason,
      })
      const pass = passOver([[item('a_4', 1)], [item('a_4', 2)], [item('b_4', 3)]], { views: { a: noRoom } })
      await expect(pass.done).rejects.toBe(noRoom)
      expect(pass.asked).toEqual(asked)
      // Who resumes the migration begins before the item that was left.
      expect(pass.pages).toEqual([1, 2, 3].map((scanned) => [{ scanned, moved: 0, twoCopies: 0 }, undefined]))
    },
  )
})

const MOVING = { phase: 'draining', shards: 2, lastUpdated: 6, history: ['5:2'], from: 4, to: 2 } as const
const item = (pk: string, sk: number) => ({ pk: { S: pk }, sk: { N: String(sk) } })

interface PassOptions {
  readonly written?: ShardState
  readonly placementKind?: 'random' | 'calculated'
  readonly listed?: readonly string[]
  /** Keys whose views cannot be read. The others have counts of their own. */
  readonly views?: Readonly<Record<string, Error>>
}

/** A pass over pages of keys, none of whose items moves. */
function passOver(pages: readonly (readonly object[])[], options: PassOptions = {}) {
  const { written = MOVING, placementKind = 'calculated', listed = [], views = {} } = options
  const asked: string[] = []
  const told: unknown[] = []
  const at = {
    table: {
      options: { name: 'log', partitionKey: 'pk', sortKey: 'sk' },
      suffix: new Suffix('log', '_', false),
      placementKind,
    },
    like: { S: 'like' },
    cards: {
      readNow: async () => ({ listed: new Set(listed.map((key) => keyText({ S: key } as LogicalKey))) }),
    },
    shardMap: {
      forWrite: async ({ S: key = '' }: { readonly S?: string }) => {
        asked.push(`view ${key}`)
        if (views[key] !== undefined) throw views[key]
        return { shards: 2, state: MOVING } as unknown as ShardView
      },
      hasOwnCount: async () => options.written === undefined,
      reread: async ({ S: key }: { readonly S?: string }) => void asked.push(`reread ${key}`),
    },
  } as unknown as MigratedTable
  let next = 0
  const done = initialPass(at, {
    sender: {
      scanPage: async () => {
        const Items = pages[next++]
        return next < pages.length ? { Items, LastEvaluatedKey: { pk: { S: String(next) } } } : { Items }
      },
      turn: async () => {},
    } as unknown as MoveSender,
    written: () => written,
    position: undefined,
    discards: false,
    signal: new AbortController().signal,
    onPage: async (...page) => void told.push(page),
  })
  return { done, asked, pages: told }
}
