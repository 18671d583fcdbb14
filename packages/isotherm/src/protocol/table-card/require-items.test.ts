import {
  type AttributeValue,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { watchRequests } from '../../../test/sent-requests.js'
import { scanned } from '../../../test/sharded-engine.js'
import { warmedUp } from '../../../test/warmed-up.js'
import { isotherm } from '../../client/isotherm.js'
import type { ShardedTableOptions } from '../../client/options.js'
import type { IsothermEvent } from '../../events/event.js'
import { dynamicShards } from '../../scaling/shards.js'
import { calculated } from '../../writes/calculated.js'
import { announce, move } from '../states/calculated-count.js'
import { resize } from '../states/random-count.js'
import { firstState, type ShardState } from '../states/shard-state.js'
import { toAttributes } from '../stored-state/shard-map-item.js'

type Options = Pick<ShardedTableOptions, 'suffix' | 'shards'> & Partial<ShardedTableOptions>
const RANDOM: Options = { suffix: 'random', shards: dynamicShards() }
const CALCULATED: Options = { suffix: 'calculated', shards: dynamicShards() }

const item = (pk: string, sk: number) => ({ pk: { S: pk }, sk: { N: String(sk) } })
const keys = (logical: string, ...shards: readonly number[]) =>
  shards.map((shard, at) => item(`${logical}_${shard}`, at))

interface World {
  readonly clock: VirtualClock
  readonly client: DynamoDBClient
  readonly events: IsothermEvent[]
  process(options: Options): ReturnType<typeof isotherm<DynamoDBClient>>
  setState(key: string, state: ShardState): Promise<void>
}

/** A table with these stored items, and an empty shard map. */
async function within(
  stored: readonly Record<string, AttributeValue>[],
  work: (world: World) => Promise<void>,
): Promise<void> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
  const client = await warmedUp(local.client())
  const events: IsothermEvent[] = []
  await clock.run(async () => {
    await client.send(createTable('log', ['pk', 'sk:N']))
    await client.send(createTable('log_shard_map', ['pk']))
    for (const Item of stored) await client.send(new PutItemCommand({ TableName: 'log', Item }))
    await work({
      clock,
      client,
      events,
      process: (options) =>
        isotherm(client, {
          tables: { log: { partitionKey: 'pk', sortKey: 'sk', ...options } },
          clock,
          random: new SeededRandom(2),
          onEvent: (event) => events.push(event),
        }),
      setState: async (key, state) => {
        const Item = { ...toAttributes(state), pk: { S: key } }
        await client.send(new PutItemCommand({ TableName: 'log_shard_map', Item }))
      },
    })
  })
  await local.close()
}

const put = new PutItemCommand({ TableName: 'log', Item: item('new', 1) })

/** Items of a calculated table whose logical keys have this many shards. */
async function placed(options: Options, count: number, items: number) {
  const found: Record<string, AttributeValue>[] = []
  await within([], async ({ client, process }) => {
    const db = process({ ...options, shards: dynamicShards({ initial: count }) })
    for (let at = 0; at < items; at++)
      await db.send(new PutItemCommand({ TableName: 'log', Item: item('k', at) }))
    found.push(...(await scanned(client, 'log')))
  })
  return found
}

const REFUSED: readonly [
  string,
  () => Promise<readonly Record<string, AttributeValue>[]>,
  Options,
  object,
][] = [
  [
    'the shard map was lost, and an item is above the initial count',
    async () => keys('k', 1, 3),
    RANDOM,
    {
      details: { storedKey: 'k_3', shard: 3, shards: 1 },
      message: expect.stringContaining('shards rebuild'),
    },
  ],
  [
    'the table had fixedShards(10), and initial is lower',
    async () => keys('k', 4, 10),
    { ...RANDOM, shards: dynamicShards({ initial: 8 }) },
    { details: { storedKey: 'k_10', shards: 8 }, message: expect.stringContaining('set initial: n') },
  ],
  [
    'adopt was forgotten',
    async () => [item('k', 1)],
    RANDOM,
    { details: { storedKey: 'k', shard: undefined }, message: expect.stringContaining('set adopt: true') },
  ],
  [
    'the delimiter is another one',
    async () => [item('k#2', 1)],
    RANDOM,
    { details: { storedKey: 'k#2' }, message: expect.stringContaining('another delimiter') },
  ],
  [
    'an adopted table lost its shard map',
    async () => [item('a', 1), item('k', 1), item('k_3', 2)],
    { ...RANDOM, adopt: true },
    { details: { storedKey: 'k_3', shard: 3, shards: 1 }, message: expect.stringContaining('delimiter') },
  ],
  [
    'calculated items are at their place among another count',
    () => placed(CALCULATED, 4, 20),
    { ...CALCULATED, shards: dynamicShards({ initial: 8 }) },
    { details: { shards: 8 }, message: expect.stringContaining('not the calculated shard') },
  ],
  [
    'the suffix is calculated from other attributes',
    () => placed(CALCULATED, 8, 20),
    { suffix: calculated({ from: ['pk', 'sk'] }), shards: dynamicShards({ initial: 8 }) },
    { details: { shards: 8 } },
  ],
]

describe('a process that would make the card of a table', () => {
  it.each(REFUSED)('is refused where %s, and makes none', async (_what, stored, options, refusal) =>
    within(await stored(), async ({ client, process }) => {
      const before = await scanned(client, 'log')
      await expect(process(options).send(put)).rejects.toMatchObject({ code: 'items.elsewhere', ...refusal })
      expect(await scanned(client, 'log_shard_map')).toEqual([])
      expect(await scanned(client, 'log')).toEqual(before)
    }),
  )

  it.each<[string, () => Promise<readonly Record<string, AttributeValue>[]>, Options]>([
    ['it is empty', async () => [], RANDOM],
    [
      'each key has the initial count',
      async () => keys('k', 1, 2, 3),
      { ...RANDOM, shards: dynamicShards({ initial: 3 }) },
    ],
    ['it is adopted', async () => [item('k', 1), item('k_', 1), item('k_1', 1)], { ...RANDOM, adopt: true }],
    [
      'calculated items are at their places',
      () => placed(CALCULATED, 8, 20),
      { ...CALCULATED, shards: dynamicShards({ initial: 8 }) },
    ],
  ])('makes it where %s', async (_what, stored, options) =>
    within(await stored(), async ({ client, process }) => {
      await process(options).send(put)
      expect(await scanned(client, 'log_shard_map')).toHaveLength(1)
    }),
  )

  it('goes by the shard map where that has the key', () =>
    within(keys('k', 1, 2, 3), async ({ client, process, setState }) => {
      const grown = firstState(1, 1)
      await setState('k', grown)
      await expect(process(RANDOM).send(put)).rejects.toMatchObject({
        code: 'items.elsewhere',
        message: expect.stringContaining('says that the key has 1 shard'),
      })
      if (grown.phase === 'settled') await setState('k', resize(grown, 3, 2))
      await process(RANDOM).send(put)
      expect(await scanned(client, 'log_shard_map')).toHaveLength(2)
    }))

  it('knows both places of an item whose count is changing', async () =>
    within(await placed(CALCULATED, 4, 20), async ({ client, process, setState }) => {
      await setState('k', move(announce(firstState(4, 1), 8, 2), 3))
      await process(CALCULATED).send(put)
      expect(await scanned(client, 'log_shard_map')).toHaveLength(2)
    }))

  it('reads an empty table with one request, and a large one with a bounded number', async () => {
    const scans: number[] = []
    const stored = Array.from({ length: 1_200 }, (_, at) => item(`k${at}_1`, at))
    for (const items of [[], stored]) {
      await within(items, async ({ client, process }) => {
        let sent = 0
        watchRequests(client, {
          before: ({ operation, input }) => {
            if (operation === 'Scan' && input.TableName === 'log') sent += 1
          },
        })
        await process(RANDOM).send(put)
        scans.push(sent)
      })
    }
    expect(scans).toEqual([1, 25])
  })

  it('finds items that only a part of the hash space shows', async () => {
    const cold = Array.from({ length: 1_200 }, (_, at) => item(`k${at}_1`, at))
    const shown = new Set<string | undefined>()
    await within(cold, async ({ client }) => {
      const { Items = [] } = await client.send(new ScanCommand({ TableName: 'log', Limit: 100 }))
      for (const { pk } of Items) shown.add(pk?.S)
    })
    // The first page shows nothing of the keys that have several shards.
    const stored = cold.map((each) =>
      shown.has(each.pk.S) ? each : { ...each, pk: { S: each.pk.S.replace('_1', '_2') } },
    )
    await within(stored, async ({ process }) => {
      await expect(process(RANDOM).send(put)).rejects.toMatchObject({ code: 'items.elsewhere' })
    })
  })

  it('believes the options where the table may not be scanned, and emits an event', () =>
    within(keys('k', 2), async ({ client, process, events }) => {
      watchRequests(client, {
        before: ({ operation, input }) => {
          if (operation !== 'Scan' || input.TableName !== 'log') return
          throw Object.assign(new Error('not authorized'), {
            name: 'AccessDeniedException',
            $fault: 'client',
          })
        },
      })
      const db = process(RANDOM)
      await db.send(put)
      await db.send(put)
      expect(events).toMatchObject([{ type: 'failed', task: 'sample-table', table: 'log' }])
    }))

  it('reads the sample once in half a minute while it is refused, and the card each time', () =>
    within(keys('k', 2), async ({ clock, client, process }) => {
      let scans = 0
      watchRequests(client, {
        before: ({ operation, input }) => {
          if (operation === 'Scan' && input.TableName === 'log') scans += 1
        },
      })
      const db = process(RANDOM)
      for (let at = 0; at < 10; at++) {
        await expect(db.send(put)).rejects.toMatchObject({ code: 'items.elsewhere' })
        await clock.sleep(4_000)
      }
      expect(scans).toBe(2)
    }))

  it('takes the card of a process that was faster, and has grown a key since', () =>
    within([], async ({ client, process }) => {
      const other = process(RANDOM)
      let first = true
      client.middlewareStack.add(
        (next) => async (args) => {
          const { TableName, ProjectionExpression } = args.input as {
            readonly TableName?: string
            readonly ProjectionExpression?: string
          }
          if (TableName !== 'log' || ProjectionExpression === undefined || !first) return next(args)
          first = false
          await other.shards('log', 'k').set(9)
          for (let at = 0; at < 20; at++)
            await other.send(new PutItemCommand({ TableName: 'log', Item: item('k', at) }))
          return next(args)
        },
        { step: 'initialize', name: 'another process' },
      )
      await process(RANDOM).send(put)
      expect(await scanned(client, 'log')).toHaveLength(21)
    }))
})
