import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { describe, expect, it } from 'vitest'
import { listAll } from '../../../test/list-all.js'
import { watchRequests } from '../../../test/sent-requests.js'
import { type ShardedEngine, scanned, shardedEngine } from '../../../test/sharded-engine.js'
import { isotherm } from '../../client/isotherm.js'
import type { ShardedTableOptions } from '../../client/options.js'
import type { IsothermEvent } from '../../events/event.js'
import { dynamicShards } from '../../scaling/shards.js'
import { JOINED_MILLISECONDS } from '../states/read-pace.js'
import { CARD_KEY } from '../table-card/own-keys.js'

const TableName = 'log'
const shardMap = 'log_shard_map'
const SHARDS = 4
const STORED = 20

const key = (sk: number, pk = 'hot') => ({ pk: { S: pk }, sk: { N: String(sk) } })
const put = (sk: number, pk?: string) => new PutItemCommand({ TableName, Item: key(sk, pk) })
const query = (ConsistentRead: boolean, pk = 'hot') =>
  new QueryCommand({
    TableName,
    KeyConditionExpression: 'pk = :k',
    ExpressionAttributeValues: { ':k': { S: pk } },
    ConsistentRead,
  })
const update = (sk: number, pk?: string) =>
  new UpdateItemCommand({
    TableName,
    Key: key(sk, pk),
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  })

/** Ways in which the shard map cannot be had. Each returns how it is had again. */
const OUTAGES = {
  denied: (engine) => failing(engine, () => serviceError('AccessDeniedException', 'client')),
  throttled: (engine) =>
    failing(engine, () => serviceError('ProvisionedThroughputExceededException', 'client')),
  'out of reach': (engine) => failing(engine, () => serviceError('TimeoutError', undefined)),
  deleted: async ({ client }) => {
    const before = await scanned(client, shardMap)
    await client.send(new DeleteTableCommand({ TableName: shardMap }))
    return async () => {
      await client.send(createTable(shardMap, ['pk']))
      await fill(client, before)
    }
  },
  emptied: async ({ client }) => {
    const before = await scanned(client, shardMap)
    for (const { pk } of before) {
      await client.send(new DeleteItemCommand({ TableName: shardMap, Key: { pk: pk ?? { S: '' } } }))
    }
    return () => fill(client, before)
  },
} satisfies Record<string, (engine: ShardedEngine) => Promise<() => Promise<void>>>

type Outage = keyof typeof OUTAGES
const ALL = Object.keys(OUTAGES) as readonly Outage[]

async function fill(client: DynamoDBClient, items: readonly Record<string, AttributeValue>[]): Promise<void> {
  for (const Item of items) await client.send(new PutItemCommand({ TableName: shardMap, Item }))
}

function serviceError(name: string, $fault: string | undefined): Error {
  return Object.assign(new Error(name), { name, $fault, $metadata: {} })
}

async function failing({ client }: ShardedEngine, error: () => Error): Promise<() => Promise<void>> {
  let isOn = true
  watchRequests(client, {
    before: ({ input }) => {
      if (isOn && input.TableName === shardMap) throw error()
    },
  })
  return async () => {
    isOn = false
  }
}

interface World extends ShardedEngine {
  readonly db: ReturnType<typeof isotherm<DynamoDBClient>>
  readonly events: IsothermEvent[]
  open(onEvent?: (event: IsothermEvent) => void): ReturnType<typeof isotherm<DynamoDBClient>>
}

/** A process that has used a hot key with four shards and a cold key, and whose cached counts are out of date. */
async function within(
  suffix: 'random' | 'calculated',
  work: (world: World) => Promise<void>,
  options: Partial<ShardedTableOptions> = {},
): Promise<void> {
  const table = {
    partitionKey: 'pk',
    sortKey: 'sk',
    suffix,
    shards: dynamicShards({ quiet: false }),
    ...options,
  }
  const engine = await shardedEngine(table)
  const events: IsothermEvent[] = []
  const open: World['open'] = (onEvent = (event) => events.push(event)) =>
    isotherm(engine.client, {
      tables: { log: table },
      clock: engine.clock,
      random: engine.random,
      onEvent,
    })
  await engine.clock.run(async () => {
    const db = open()
    await db.shards(TableName, 'hot').set(SHARDS)
    await db.shards(TableName, 'hot').drain()
    for (let sk = 0; sk < STORED; sk++) await db.send(put(sk))
    await db.send(put(0, 'cold'))
    for (const pk of ['hot', 'cold']) await db.send(query(false, pk))
    events.length = 0
    await work({ ...engine, db, events, open })
    db.destroy()
  })
  await engine.close()
}

const actions = (events: readonly IsothermEvent[]) =>
  events.flatMap((event) => (event.type === 'shard-map-unavailable' ? [event.action] : []))

describe.each(ALL)('a shard map that is %s', (outage) => {
  it('lets new random items go to the first shard, whatever the count, and reports it once', () =>
    within('random', async ({ db, events, clock, client, ...engine }) => {
      const end = await OUTAGES[outage]({ ...engine, clock, client })
      await clock.sleep(31_000)
      const before = await scanned(client, TableName)
      for (let sk = 100; sk < 110; sk++) await db.send(put(sk))
      await db.send(put(1, 'cold'))
      await db.send(put(1, 'never seen'))
      const requests = Array.from({ length: 5 }, (_, at) => ({ PutRequest: { Item: key(200 + at) } }))
      await db.send(new BatchWriteItemCommand({ RequestItems: { log: requests } }))
      const stored = (await scanned(client, TableName)).map(({ pk }) => pk?.S)
      expect(stored.filter((pk) => pk === 'hot_1').length).toBe(
        before.filter(({ pk }) => pk?.S === 'hot_1').length + 15,
      )
      expect(stored).toHaveLength(before.length + 17)
      expect(actions(events)).toEqual(['append-to-first-shard'])
      await end()
      await clock.sleep(2_000)
      await db.send(put(300))
      await clock.sleep(1_000)
      expect((await db.send(query(true))).Count).toBe(STORED + 16)
      expect(events.filter(({ type }) => type === 'shard-map-available')).toHaveLength(1)
    }))

  it.each(['random', 'calculated'] as const)(
    'lets reads that need not be consistent go on with what is known, for as long as staleReads (%s)',
    (suffix) =>
      within(
        suffix,
        async ({ db, events, clock, client, ...engine }) => {
          await OUTAGES[outage]({ ...engine, clock, client })
          await clock.sleep(31_000)
          expect((await db.send(query(false))).Count).toBe(STORED)
          expect((await db.send(query(false, 'cold'))).Count).toBe(1)
          expect((await db.send(new GetItemCommand({ TableName, Key: key(3) }))).Item).toEqual(key(3))
          const Keys = [key(4), key(5), key(0, 'cold')]
          const batch = await db.send(new BatchGetItemCommand({ RequestItems: { log: { Keys } } }))
          expect(batch.Responses?.log).toHaveLength(3)
          expect(actions(events)).toEqual(['read-from-cache'])
          await clock.sleep(60_000)
          await expect(db.send(query(false))).rejects.toBeInstanceOf(Error)
        },
        { staleReads: '1m' },
      ),
  )

  it.each([
    [
      'calculated',
      {
        'a put': put(3),
        'an update': update(3),
        'a deletion': new DeleteItemCommand({ TableName, Key: key(3) }),
        'a put of a cold key': put(7, 'cold'),
        'a transaction': new TransactWriteItemsCommand({
          TransactItems: [{ Put: { TableName, Item: key(3) } }],
        }),
      },
    ],
    ['random', { 'a consistent query': query(true), 'an update': update(3) }],
  ] as const)('lets requests that need it wait, and then fail with the cause (%s)', (suffix, commands) =>
    within(suffix, async ({ open, clock, client, ...engine }) => {
      const code =
        { deleted: 'shard-map.missing', emptied: 'card.lost' }[outage as string] ?? 'shard-map.unavailable'
      const asking = await Promise.all(
        // Each in a separate process, which waits for no other's request.
        Object.entries(commands).map(async ([what, command]) => {
          const own: IsothermEvent[] = []
          const db = open((event) => own.push(event))
          for (const pk of ['hot', 'cold']) await db.send(query(false, pk))
          return { what, own, send: () => db.send(command as PutItemCommand) }
        }),
      )
      await OUTAGES[outage]({ ...engine, clock, client })
      await clock.sleep(31_000)
      const before = await scanned(client, TableName)
      const startedAt = clock.now()
      await Promise.all(
        asking.map(async ({ what, own, send }) => {
          const error: unknown = await send().catch((thrown: unknown) => thrown)
          expect({ what, error }).toMatchObject({ what, error: { code } })
          if (outage !== 'emptied') expect((error as Error).cause).toBeInstanceOf(Error)
          expect(clock.now() - startedAt).toBeGreaterThan(8_000)
          expect(clock.now() - startedAt).toBeLessThan(12_000)
          expect(actions(own)).toContain('wait')
        }),
      )
      expect(await scanned(client, TableName)).toEqual(before)
    }),
  )

  it('lets a calculated write wait, and succeed when it answers again', () =>
    within('calculated', async ({ db, clock, client, ...engine }) => {
      const end = await OUTAGES[outage]({ ...engine, clock, client })
      await clock.sleep(31_000)
      const written = db.send(update(3))
      await clock.sleep(4_000)
      await end()
      await written
      expect((await db.send(query(true))).Count).toBe(STORED)
    }))
})

describe('a shard map whose requests are never answered', () => {
  /** @returns what lets later requests through. Those that were sent before stay without an answer. */
  function silenced(client: DynamoDBClient): () => void {
    let isSilent = true
    client.middlewareStack.add(
      (next) => (args) =>
        isSilent && (args.input as { TableName?: string }).TableName === shardMap
          ? new Promise(() => {})
          : next(args),
      { step: 'initialize', priority: 'high' },
    )
    return () => {
      isSilent = false
    }
  }

  it.each([
    ['calculated', put(3)],
    ['calculated', put(3, 'cold')],
    ['random', update(3)],
    ['random', query(true)],
  ] as const)(
    'fails a %s request at retryDeadline, and serves the next one when it answers',
    (suffix, command) =>
      within(suffix, async ({ db, clock, client }) => {
        const end = silenced(client)
        await clock.sleep(31_000)
        const from = clock.now()
        await expect(db.send(command as PutItemCommand)).rejects.toMatchObject({
          code: 'shard-map.unavailable',
        })
        // An update of a random item asks twice: whether there is one shard, and then for all.
        expect(clock.now() - from).toBe(command instanceof UpdateItemCommand ? 11_000 : 10_000)
        end()
        // A read that was sent in the outage ends after ten seconds, and is joined by later requests for a while.
        await clock.sleep(JOINED_MILLISECONDS)
        const later = clock.now()
        await db.send(command as PutItemCommand)
        expect(clock.now()).toBe(later)
      }),
  )

  it.each(['random', 'calculated'] as const)('lets %s reads continue by what is known', (suffix) =>
    within(suffix, async ({ db, events, clock, client }) => {
      const end = silenced(client)
      await clock.sleep(31_000)
      const from = clock.now()
      expect((await db.send(query(false))).Count).toBe(STORED)
      expect(clock.now() - from).toBe(10_000)
      expect((await db.send(query(false))).Count).toBe(STORED)
      expect(clock.now() - from).toBe(10_000)
      expect(actions(events)).toEqual(['read-from-cache'])
      end()
      for (let second = 0; second < 30; second++) {
        await clock.sleep(1_000)
        await db.send(query(false))
      }
      expect(events.filter(({ type }) => type === 'shard-map-available')).toHaveLength(1)
    }),
  )
})

describe.each(['random', 'calculated'] as const)('a shard map that was just emptied (%s)', (suffix) => {
  const emptied =
    (isLost: (pk: string) => boolean) =>
    async ({ db, open, clock, client }: World) => {
      const other = open()
      await other.send(query(true))
      for (const { pk } of await scanned(client, shardMap)) {
        if (isLost(pk?.S ?? '')) {
          await client.send(new DeleteItemCommand({ TableName: shardMap, Key: { pk: pk ?? { S: '' } } }))
        }
      }
      // Longer than stale reads are answered.
      const until = clock.now() + 120_000
      for (let at = 0; clock.now() < until; at++) {
        for (const process of [db, other, open()]) {
          for (const consistent of [true, false]) {
            const count = await process.send(query(consistent)).then(
              ({ Count }) => Count,
              () => undefined,
            )
            expect([STORED, undefined]).toContain(count)
          }
          if (suffix === 'calculated') await process.send(put(at % STORED)).catch(() => {})
        }
        await clock.sleep(700)
      }
      const stored = await scanned(client, TableName)
      expect(new Set(stored.map(({ pk, sk }) => `${pk?.S} ${sk?.N}`)).size).toBe(STORED + 1)
      if (suffix === 'calculated') expect(stored).toHaveLength(STORED + 1)
    }

  it.each([
    ['as a whole', () => true],
    ['but for its card', (pk: string) => pk !== CARD_KEY],
  ] as const)('%s is never answered from as if all keys had the initial count', (_what, isLost) =>
    within(suffix, emptied(isLost), { staleReads: '1m' }),
  )
})

describe('a process that has never read the shard map', () => {
  it.each(['denied', 'deleted'] as const)('fails at once while it is %s, even appends', (outage) =>
    within('random', async ({ open, clock, ...engine }) => {
      await OUTAGES[outage]({ ...engine, clock })
      const fresh = open()
      const startedAt = clock.now()
      await expect(fresh.send(put(100))).rejects.toMatchObject(
        outage === 'deleted' ? { code: 'shard-map.missing' } : { name: 'AccessDeniedException' },
      )
      expect(clock.now()).toBe(startedAt)
    }),
  )

  it('waits while it is throttled', () =>
    within('random', async ({ open, clock, ...engine }) => {
      const end = await OUTAGES.throttled({ ...engine, clock })
      const written = open().send(put(100))
      await clock.sleep(5_000)
      await end()
      await written
    }))
})

describe('while the shard map does not answer', () => {
  it('a process asks it about once a second, however many items it stores', () =>
    within('random', async ({ db, clock, client }) => {
      let asked = 0
      watchRequests(client, {
        before: ({ input }) => {
          if (input.TableName !== shardMap) return
          asked += 1
          throw serviceError('AccessDeniedException', 'client')
        },
      })
      await clock.sleep(31_000)
      asked = 0
      for (let sk = 0; sk < 250; sk++) {
        await db.send(put(1_000 + sk))
        await clock.sleep(40)
      }
      expect(asked).toBeGreaterThan(5)
      expect(asked).toBeLessThan(30)
    }))

  it.each([
    ['more', 8, 2],
    ['fewer', 2, 8],
  ])(
    'a process with %s initial shards in its options goes by the count to which the table was migrated',
    async (_than, given, migrated) => {
      const options = { suffix: 'random', shards: dynamicShards({ initial: given, quiet: false }) } as const
      const engine = await shardedEngine(options)
      const { clock } = engine
      await clock.run(async () => {
        const db = engine.process()
        await db.send(put(0, 'cold'))
        await db.migrate(TableName, { initial: migrated })
        // More keys have a count of their own than the card has room for.
        await listAll(db, TableName, 'pk', { sk: { N: '0' } })
        await clock.sleep(31_000)
        for (let sk = 1; sk <= STORED; sk++) await engine.process().send(put(sk, 'cold'))
        await db.send(put(STORED + 1, 'cold'))
        const end = await OUTAGES.throttled(engine)
        await db.send(put(0, 'never seen'))
        expect((await db.send(query(false, 'cold'))).Count).toBe(STORED + 2)
        for (let sk = STORED + 2; sk <= 2 * STORED; sk++) await db.send(put(sk, 'cold'))
        await end()
        expect((await engine.process().send(query(true, 'cold'))).Count).toBe(2 * STORED + 1)
        db.destroy()
      })
      await engine.close()
    },
  )

  it('staleReads: 0 lets reads fail, too', () =>
    within(
      'random',
      async ({ db, clock, ...engine }) => {
        await OUTAGES.denied({ ...engine, clock })
        await clock.sleep(31_000)
        await expect(db.send(query(false))).rejects.toMatchObject({ code: 'shard-map.unavailable' })
      },
      { staleReads: 0 },
    ))
})
