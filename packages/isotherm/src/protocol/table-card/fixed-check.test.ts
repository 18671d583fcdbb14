import { DeleteItemCommand, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../../test/sharded-engine.js'
import { isotherm } from '../../client/isotherm.js'
import type { ShardedTableOptions } from '../../client/options.js'
import { dynamicShards, fixedShards } from '../../scaling/shards.js'
import { calculated } from '../../writes/calculated.js'

type Options = Pick<ShardedTableOptions, 'suffix' | 'shards'> & Partial<ShardedTableOptions>

async function within(options: Options, work: (engine: ShardedEngine) => Promise<void>) {
  const engine = await shardedEngine(options)
  await engine.clock.run(() => work(engine))
  await engine.close()
}

const put = (pk: string, sk: number) =>
  new PutItemCommand({ TableName: 'log', Item: { pk: { S: pk }, sk: { N: String(sk) } } })

const processWith = ({ client, clock }: ShardedEngine, options: Options) =>
  isotherm(client, {
    tables: { log: { partitionKey: 'pk', sortKey: 'sk', ...options } },
    clock,
    random: new SeededRandom(7),
  })

async function fill(engine: ShardedEngine, keys: readonly string[] = ['k']): Promise<void> {
  const db = engine.process()
  for (const key of keys) for (let sk = 0; sk < 40; sk++) await db.send(put(key, sk))
}

/** The requests for the table and its shard map from now on. */
function requestsOf({ client }: ShardedEngine): string[] {
  const sent: string[] = []
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        sent.push(`${commandName} ${String((args.input as { readonly TableName?: string }).TableName)}`)
        return next(args)
      },
    { step: 'initialize', name: 'requests' },
  )
  return sent
}

const CALCULATED = (shards: number): Options => ({ suffix: 'calculated', shards: fixedShards(shards) })
const RANDOM = (shards: number): Options => ({ suffix: 'random', shards: fixedShards(shards) })

describe('a process with fixedShards', () => {
  it.each<[string, Options, Options]>([
    ['4 calculated shards, now 8', CALCULATED(4), CALCULATED(8)],
    ['8 calculated shards, now 4', CALCULATED(8), CALCULATED(4)],
    ['20 random shards, now 10', RANDOM(20), RANDOM(10)],
    ['a random suffix, now a calculated one', RANDOM(10), CALCULATED(10)],
    ['another delimiter', RANDOM(10), { ...RANDOM(10), delimiter: '#' }],
    ['10 random shards, now 9', RANDOM(10), RANDOM(9)],
    ['10 calculated shards, now 9', CALCULATED(10), CALCULATED(9)],
    ['adopt forgotten', { ...RANDOM(1), adopt: true }, RANDOM(1)],
    ['adopt forgotten, and one shard of several', { ...RANDOM(10), adopt: true }, RANDOM(10)],
    ['adopt where the first shard has a number', RANDOM(10), { ...RANDOM(10), adopt: true }],
    [
      'other attributes',
      { suffix: calculated({ from: ['sk', 'pk'] }), shards: fixedShards(10) },
      CALCULATED(10),
    ],
  ])('is refused by the items of a table without a card: %s', (_what, before, after) =>
    within(before, async (engine) => {
      await fill(engine)
      const sent = requestsOf(engine)
      const db = processWith(engine, after)
      for (let at = 0; at < 2; at++) {
        await expect(db.send(put('k', 1))).rejects.toMatchObject({
          code: 'items.elsewhere',
          message: expect.stringMatching(/"k(_\d+)?".*would not be found/),
        })
      }
      expect(sent.filter((request) => !/^(GetItem|Scan|Query|DescribeTable)Command/.test(request))).toEqual(
        [],
      )
    }),
  )

  it('is refused without a sort key and with a random suffix, which would keep copies of an item', () =>
    within(RANDOM(4), async (engine) => {
      const { client, clock } = engine
      await client.send(createTable('events', ['pk']))
      const sent = requestsOf(engine)
      const events = { partitionKey: 'pk', ...RANDOM(4) }
      const db = isotherm(client, { tables: { events }, clock, random: new SeededRandom(7) })
      const Item = { pk: { S: 'k' } }
      for (let at = 0; at < 2; at++) {
        await expect(db.send(new PutItemCommand({ TableName: 'events', Item }))).rejects.toMatchObject({
          code: 'table.unfit',
          message: expect.stringMatching(/^events has .*another copy of its item.*Name the sort key/),
        })
      }
      expect(sent).toEqual([])
    }))

  it.each<[string, Options, Options]>([
    ['4 random shards, now 8', RANDOM(4), RANDOM(8)],
    ['the same', CALCULATED(4), CALCULATED(4)],
    ['a count that a function returns', RANDOM(4), { suffix: 'random', shards: fixedShards(() => 6) }],
  ])('goes on with options that find everything: %s', (_what, before, after) =>
    within(before, async (engine) => {
      await fill(engine)
      const db = processWith(engine, after)
      const query = new QueryCommand({
        TableName: 'log',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'k' } },
      })
      expect((await db.send(query)).Items).toHaveLength(40)
    }),
  )

  it.each<[string, boolean]>([
    ['has grown keys', true],
    ['has another initial count', false],
  ])('is refused by a card that %s', (_what, isGrown) =>
    within({ suffix: 'random', shards: dynamicShards({ initial: 2 }) }, async (engine) => {
      const db = engine.process()
      await db.send(put('k', 1))
      if (isGrown) await db.shards('log', 'k').set(5)
      const refused = processWith(engine, RANDOM(isGrown ? 2 : 4)).send(put('k', 2))
      await expect(refused).rejects.toMatchObject({
        code: 'card.differs',
        message: expect.stringContaining('Use dynamicShards({ initial: 2 })'),
      })
    }),
  )

  it('may have the initial count of a card that lists no key', () =>
    within({ suffix: 'random', shards: dynamicShards({ initial: 2 }) }, async (engine) => {
      await engine.process().send(put('k', 1))
      await processWith(engine, RANDOM(2)).send(put('k', 2))
    }))

  it('compares once, with three requests for a small table, and for a large one with six and three for each key', () =>
    within(RANDOM(4), async (engine) => {
      const sent = requestsOf(engine)
      const first = engine.process()
      await Promise.all([first.send(put('k', 1)), first.send(put('k', 2))])
      await first.send(put('k', 3))
      const compared = () => sent.splice(0).filter((request) => !request.startsWith('PutItem'))
      const forSmall = ['GetItemCommand log_shard_map', 'DescribeTableCommand log', 'ScanCommand log']
      expect(compared()).toEqual(forSmall)
      await fill(engine)
      compared()
      await engine.process().send(put('k', 1))
      expect(compared()).toHaveLength(9)
      const unchecked = processWith(engine, { ...RANDOM(4), checkItems: false })
      await unchecked.send(put('k', 1))
      expect(compared()).toEqual([])
    }))

  it.each<[string, { [Name in keyof ShardedTableOptions]?: unknown }, string, object]>([
    ['the sort key is misspelt', { sortKey: 'sl' }, 'table.differs', { setting: 'sortKey', found: 'sk' }],
    [
      'the partition key has another name',
      { partitionKey: 'id' },
      'table.differs',
      { setting: 'partitionKey', found: 'pk', given: 'id' },
    ],
  ])('is refused by the key of the table: %s', (_what, wrong, code, details) =>
    within(CALCULATED(4), async (engine) => {
      const sent = requestsOf(engine)
      const db = processWith(engine, { ...CALCULATED(4), ...wrong } as Options)
      const Item = { id: { S: 'k' }, pk: { S: 'k' }, sk: { N: '1' }, sl: { N: '1' } }
      for (let at = 0; at < 2; at++) {
        const refused = db.send(new PutItemCommand({ TableName: 'log', Item }))
        await expect(refused).rejects.toMatchObject({ code, details: { table: 'log', ...details } })
      }
      expect(sent.filter((request) => request.startsWith('PutItem'))).toEqual([])
    }),
  )

  it('is refused without its table, and no longer once there is one', () =>
    within(CALCULATED(4), async ({ client, clock }) => {
      const lgo = { partitionKey: 'pk', sortKey: 'sk', ...CALCULATED(4) }
      const db = isotherm(client, { tables: { lgo }, clock, random: new SeededRandom(7) })
      const write = () =>
        db.send(new PutItemCommand({ TableName: 'lgo', Item: { pk: { S: 'k' }, sk: { N: '1' } } }))
      await expect(write()).rejects.toMatchObject({
        code: 'table.missing',
        message: expect.stringContaining('lgo does not exist'),
      })
      await client.send(createTable('lgo', ['pk', 'sk:N']))
      await write()
    }))

  it('compares an empty table again, after a minute', () =>
    within(CALCULATED(4), async (engine) => {
      const [early, late] = [CALCULATED(4), CALCULATED(8)].map((options) => processWith(engine, options))
      const get = new GetItemCommand({ TableName: 'log', Key: { pk: { S: 'k' }, sk: { N: '1' } } })
      await late?.send(get)
      for (let sk = 0; sk < 40; sk++) await early?.send(put('k', sk))
      await engine.clock.sleep(59_000)
      await late?.send(get)
      await engine.clock.sleep(1_000)
      await expect(late?.send(put('k', 1))).rejects.toMatchObject({ code: 'items.elsewhere' })
      const sent = requestsOf(engine)
      await early?.send(get)
      expect(sent.some((request) => request.startsWith('Scan'))).toBe(true)
      sent.length = 0
      await engine.clock.sleep(60_000)
      await early?.send(get)
      expect(sent).toEqual(['GetItemCommand log'])
    }))

  it.each<[string, Options, Options, (db: ReturnType<typeof processWith>) => Promise<unknown>]>([
    ['a higher count', RANDOM(4), RANDOM(8), async () => {}],
    [
      'dynamic counts that grow',
      RANDOM(4),
      { suffix: 'random', shards: dynamicShards({ initial: 4 }) },
      async (db) => db.shards('log', 'k').set(9),
    ],
  ])('notices a deployment with %s beside it, within five minutes', (_what, before, after, change) =>
    within(before, async (engine) => {
      await fill(engine)
      const old = engine.process()
      await old.send(put('k', 1))
      const deployed = processWith(engine, after)
      await deployed.send(put('k', 100))
      await change(deployed)
      for (let sk = 101; sk < 160; sk++) await deployed.send(put('k', sk))
      await engine.clock.sleep(299_000)
      await old.send(put('k', 2))
      await engine.clock.sleep(1_000)
      // The comparison runs beside this request, and refuses the next one.
      await old.send(put('k', 3))
      await engine.clock.sleep(1_000)
      await expect(old.send(put('k', 4))).rejects.toMatchObject({
        code: expect.stringMatching(/^(items\.elsewhere|card\.differs)$/),
      })
    }),
  )

  it('does not compare a count that a function returns again', () =>
    within({ suffix: 'random', shards: fixedShards(() => 4) }, async (engine) => {
      await fill(engine)
      const db = engine.process()
      await db.send(put('k', 1))
      const sent = requestsOf(engine)
      await engine.clock.sleep(600_000)
      await db.send(put('k', 2))
      await engine.clock.sleep(1_000)
      expect(sent).toEqual(['PutItemCommand log'])
    }))

  it('is believed where it may scan the table, and not query it', () =>
    within(RANDOM(10), async (engine) => {
      await fill(engine)
      engine.client.middlewareStack.add(
        (next, { commandName }) =>
          (args) => {
            if (commandName !== 'QueryCommand') return next(args)
            throw Object.assign(new Error('failed'), { name: 'AccessDeniedException', $fault: 'client' })
          },
        { step: 'initialize', name: 'refusing' },
      )
      await engine.process().send(put('k', 1))
    }))

  it.each(['AccessDeniedException', 'ProvisionedThroughputExceededException', 'TypeError'])(
    'is believed where the comparison fails with %s',
    (name) =>
      within(RANDOM(4), async (engine) => {
        engine.client.middlewareStack.add(
          (next, { commandName }) =>
            (args) => {
              if (commandName === 'PutItemCommand') return next(args)
              throw Object.assign(new Error('failed'), { name, $fault: 'client' })
            },
          { step: 'initialize', name: 'failing' },
        )
        await engine.process().send(put('k', 1))
      }),
  )

  it('is refused again and again, and no longer once the table is in order', () =>
    within(RANDOM(20), async (engine) => {
      await fill(engine)
      const db = processWith(engine, RANDOM(10))
      await expect(db.send(put('k', 1))).rejects.toMatchObject({ code: 'items.elsewhere' })
      for (const Key of await scanned(engine.client, 'log')) {
        await engine.client.send(new DeleteItemCommand({ TableName: 'log', Key }))
      }
      await engine.clock.sleep(31_000)
      await db.send(put('k', 1))
    }))
})
