import {
  type AttributeValue,
  DeleteItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../../test/sharded-engine.js'
import { isotherm } from '../../client/isotherm.js'
import type { ShardedTableOptions } from '../../client/options.js'
import { dynamicShards } from '../../scaling/shards.js'
import { calculated } from '../../writes/calculated.js'
import { CARD_KEY } from './own-keys.js'

const OPTIONS = { suffix: 'calculated', shards: dynamicShards() } as const
type Options = Pick<ShardedTableOptions, 'suffix' | 'shards'> & Partial<ShardedTableOptions>

async function within(work: (engine: ShardedEngine) => Promise<void>, options: Options = OPTIONS) {
  const engine = await shardedEngine(options)
  await engine.clock.run(() => work(engine))
  await engine.close()
}

const put = (pk: string) => new PutItemCommand({ TableName: 'log', Item: { pk: { S: pk }, sk: { N: '1' } } })

async function card({ client }: ShardedEngine): Promise<Record<string, AttributeValue> | undefined> {
  return (await scanned(client, 'log_shard_map')).find(({ pk }) => pk?.S === CARD_KEY)
}

const listed = async (engine: ShardedEngine) => {
  const stored = await card(engine)
  return stored?.lists_all?.BOOL === true ? 'all' : [...(stored?.listed_keys?.SS ?? [])].sort()
}

describe('a logical key that is the key of the card', () => {
  it.each<[string, Options]>([
    ['calculated', OPTIONS],
    ['random', { ...OPTIONS, suffix: 'random' }],
  ])('is rejected by every command, and nothing is written (%s)', (_name, options) =>
    within(async (engine) => {
      const { client } = engine
      const db = engine.process()
      const Key = { pk: { S: CARD_KEY }, sk: { N: '1' } }
      const refused = { code: 'key.ambiguous', message: expect.stringContaining('log_shard_map') }
      await expect(db.send(put(CARD_KEY))).rejects.toMatchObject(refused)
      await expect(db.send(new DeleteItemCommand({ TableName: 'log', Key }))).rejects.toMatchObject(refused)
      for (const ConsistentRead of [true, false]) {
        const query = new QueryCommand({
          TableName: 'log',
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': Key.pk },
          ConsistentRead,
        })
        await expect(db.send(query)).rejects.toMatchObject(refused)
      }
      await expect(db.shards('log', CARD_KEY).set(4)).rejects.toMatchObject(refused)
      expect(await scanned(client, 'log')).toEqual([])
      expect(await scanned(client, 'log_shard_map')).toEqual([])
    }, options),
  )
})

describe('the card of a table', () => {
  it('has the settings of the table, and lists the keys whose count was changed', () =>
    within(async (engine) => {
      const db = engine.process()
      await db.send(put('cold'))
      expect(await card(engine)).toEqual({
        pk: { S: CARD_KEY },
        format: { N: '1' },
        version: { N: '1' },
        made: { S: expect.stringMatching(/^\d+:[0-9a-f]{32}$/) },
        table_name: { S: 'log' },
        shard_map_name: { S: 'log_shard_map' },
        settings: {
          M: {
            partitionKey: { S: 'pk' },
            sortKey: { S: 'sk' },
            suffix: { S: 'calculated from sk' },
            shards: { S: 'dynamicShards' },
            initial: { S: '1' },
            delimiter: { S: '_' },
            adopt: { S: 'false' },
          },
        },
      })
      await db.shards('log', 'hot').set(4)
      expect(await listed(engine)).toEqual(['hot'])
    }))

  it('lists a key before its count changes, and a process with an older card learns of it in time', () =>
    within(async (engine) => {
      const [one, other] = [engine.process(), engine.process()]
      await other.send(put('k'))
      await one.shards('log', 'k').set(4)
      expect(await one.shards('log', 'k').drain()).toBe('settled')
      const query = new QueryCommand({
        TableName: 'log',
        KeyConditionExpression: 'pk = :k',
        ExpressionAttributeValues: { ':k': { S: 'k' } },
      })
      expect((await other.send(query)).Items).toHaveLength(1)
    }))

  it.each([
    { suffix: 'random', shards: dynamicShards({ initial: 2 }) },
    { suffix: 'calculated', shards: dynamicShards({ initial: 2 }) },
  ] as const)('loses a key that has the initial count again, with a suffix $suffix', (options) =>
    within(async (engine) => {
      const shards = engine.process().shards('log', 'k')
      await shards.set(5)
      await shards.drain()
      expect(await listed(engine)).toEqual(['k'])
      await shards.set(2)
      expect(await listed(engine)).toEqual(['k'])
      await shards.drain()
      expect(await listed(engine)).toEqual([])
      await shards.set(3)
      expect(await listed(engine)).toEqual(['k'])
    }, options),
  )

  it('keeps a key that another process lists while it would come off', () =>
    within(async (engine) => {
      const shards = engine.process().shards('log', 'k')
      await shards.set(5)
      await shards.drain()
      const other = engine.process()
      // Between the read of the version and the change of the card, another key is listed.
      engine.client.middlewareStack.add(
        (next) => async (args) => {
          const { UpdateExpression } = args.input as { readonly UpdateExpression?: string }
          if (UpdateExpression?.startsWith('DELETE') === true) await other.shards('log', 'another').set(2)
          return next(args)
        },
        { step: 'initialize', name: 'another process' },
      )
      await shards.set(1)
      expect(await shards.drain()).toBe('settled')
      expect(await listed(engine)).toEqual(['another', 'k'])
    }))

  it('lists all keys if the shard map has items from before there was a card', () =>
    within(async (engine) => {
      const Item = {
        pk: { S: 'k' },
        number_of_shards: { N: '3' },
        last_updated: { N: '1' },
        shard_history: { SS: ['1:3'] },
      }
      await engine.client.send(new PutItemCommand({ TableName: 'log_shard_map', Item }))
      const db = engine.process()
      await db.send(put('cold'))
      expect(await listed(engine)).toBe('all')
      expect((await db.shards('log', 'k').read())?.shards).toBe(3)
      await db.shards('log', 'other').set(2)
      expect(await listed(engine)).toBe('all')
    }))

  it('lists all keys if the shard map may not be scanned', () =>
    within(async (engine) => {
      engine.client.middlewareStack.add(
        (next, { commandName }) =>
          (args) => {
            if (commandName !== 'ScanCommand') return next(args)
            throw Object.assign(new Error('not authorized'), {
              name: 'AccessDeniedException',
              $fault: 'client',
            })
          },
        { step: 'initialize', name: 'denied' },
      )
      await engine.process().send(put('k'))
      engine.client.middlewareStack.remove('denied')
      expect(await listed(engine)).toBe('all')
    }))

  it('lists all keys from the thousandth on', () =>
    within(async (engine) => {
      const db = engine.process()
      await db.shards('log', 'k0').set(2)
      // As if other processes had listed the rest.
      const keys = Array.from({ length: 1_000 }, (_, at) => `k${at}`)
      const Item = { ...(await card(engine)), listed_keys: { SS: keys }, version: { N: '1000' } }
      await engine.client.send(
        new PutItemCommand({ TableName: 'log_shard_map', Item: Item as Record<string, AttributeValue> }),
      )
      await db.shards('log', 'k0').drain()
      await db.shards('log', 'k0').set(3)
      expect(await listed(engine)).toHaveLength(1_000)
      await db.shards('log', 'one more').set(2)
      expect(await listed(engine)).toBe('all')
    }))

  it('lists all keys when their names are long', () =>
    within(async (engine) => {
      const db = engine.process()
      for (let at = 0; at < 40; at++) {
        await db.shards('log', `${at} ${'x'.repeat(2_000)}`).set(2)
        await engine.clock.sleep(6_000)
        await db.send(put('cold'))
      }
      expect(await listed(engine)).toBe('all')
    }))

  it('is made again if it was deleted, and lists all keys: by a process that has listed none', () =>
    within(async (engine) => {
      const db = engine.process()
      await db.shards('log', 'k').set(3)
      const Key = { pk: { S: CARD_KEY } }
      await engine.client.send(new DeleteItemCommand({ TableName: 'log_shard_map', Key }))
      await expect(db.shards('log', 'other').set(2)).rejects.toMatchObject({ code: 'card.lost' })
      expect(await card(engine)).toBeUndefined()
      await engine.process().shards('log', 'other').set(2)
      expect(await listed(engine)).toBe('all')
    }))

  it('of a later format is refused', () =>
    within(async (engine) => {
      await engine.process().send(put('k'))
      const Item = { ...(await card(engine)), format: { N: '3' } } as Record<string, AttributeValue>
      await engine.client.send(new PutItemCommand({ TableName: 'log_shard_map', Item }))
      await expect(engine.process().send(put('k'))).rejects.toMatchObject({
        code: 'card.format',
        message: expect.stringContaining('has format 3; this version reads 1 and 2'),
      })
    }))
})

describe('two processes with different options that begin at the same time', () => {
  const one: Options = { suffix: 'calculated', shards: dynamicShards({ initial: 4 }) }

  it.each<[string, Options]>([
    ['another initial count', { suffix: 'calculated', shards: dynamicShards({ initial: 8 }) }],
    ['another suffix', { suffix: 'random', shards: dynamicShards({ initial: 4 }) }],
    ['another delimiter', { ...one, delimiter: '#' }],
    ['adopt', { suffix: 'random', shards: dynamicShards({ initial: 4 }), adopt: true }],
  ])('do not both write: %s', (_what, other) =>
    within(async ({ client, clock }) => {
      for (let round = 0; round < 2; round++) {
        const written = [one, other].map(async (options, at) => {
          const tables = { log: { partitionKey: 'pk', sortKey: 'sk', ...options } }
          const db = isotherm(client, { tables, clock, random: new SeededRandom(at + 10 * round) })
          for (let sk = 0; sk < 20; sk++) {
            const Item = { pk: { S: 'k' }, sk: { N: String(sk) }, by: { N: String(at) } }
            await db.send(new PutItemCommand({ TableName: 'log', Item }))
          }
        })
        const results = await Promise.allSettled(written)
        const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
        expect(refused).toEqual([expect.objectContaining({ code: 'card.differs' })])
        expect(new Set((await scanned(client, 'log')).map(({ by }) => by?.N)).size).toBe(1)
      }
      expect(await scanned(client, 'log')).toHaveLength(20)
    }, one),
  )
})

describe('a process whose options differ from what the table holds', () => {
  const differing: readonly [string, Options, string][] = [
    ['a random suffix', { suffix: 'random', shards: dynamicShards() }, 'suffix calculated from sk'],
    [
      'another attribute',
      { suffix: calculated({ from: ['sk', 'pk'] }), shards: dynamicShards() },
      'calculated from sk',
    ],
    ['another initial count', { suffix: 'calculated', shards: dynamicShards({ initial: 10 }) }, 'initial 1'],
    ['another delimiter', { ...OPTIONS, delimiter: '#' }, 'delimiter _'],
    ['adopt', { ...OPTIONS, adopt: true }, 'adopt false'],
    ['another sort key', { suffix: 'random', shards: dynamicShards(), sortKey: 'at' }, 'sortKey sk'],
  ]

  it.each(differing)('with %s, is refused before anything is sent to the table', (_what, options, text) =>
    within(async (engine) => {
      await engine.process().send(put('k'))
      const { client, clock } = engine
      const sent: string[] = []
      client.middlewareStack.add(
        (next) => (args) => {
          sent.push(String((args.input as { readonly TableName?: string }).TableName))
          return next(args)
        },
        { step: 'initialize', name: 'sent' },
      )
      const db = isotherm(client, {
        tables: { log: { partitionKey: 'pk', sortKey: 'sk', ...options } },
        clock,
        random: new SeededRandom(1),
      })
      const Item = { pk: { S: 'k' }, sk: { N: '2' }, at: { N: '2' } }
      const refused = { code: 'card.differs', message: expect.stringContaining(text) }
      for (let at = 0; at < 2; at++) {
        await expect(db.send(new PutItemCommand({ TableName: 'log', Item }))).rejects.toMatchObject(refused)
      }
      expect(new Set(sent)).toEqual(new Set(['log_shard_map']))
    }),
  )
})
