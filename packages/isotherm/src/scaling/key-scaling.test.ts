import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { type Random, SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { bareClient } from '../../test/fake-client.js'
import { FakeTables, Refusal } from '../../test/fake-tables.js'
import type { StoredItem } from '../../test/sharded-engine.js'
import { MemoryCache } from '../../test/shared-map.js'
import { hotPartition } from '../../test/throttling.js'
import { isotherm } from '../client/isotherm.js'
import { isotherm as ofParts } from '../client/isotherm-of-parts.js'
import type { IsothermOptions, ShardedTableOptions } from '../client/options.js'
import type { Part } from '../client/part.js'
import { appends, queries } from '../client/parts.js'
import type { IsothermEvent } from '../events/event.js'
import { CARD_KEY } from '../protocol/index.js'
import { growByReads, type ReadGrowth } from './grow-by-reads.js'
import { dynamicShards } from './shards.js'

const KEYS = { partitionKey: 'pk', sortKey: 'at' }

/** The tables of one account. */
function account() {
  return new FakeTables().create('log', KEYS).create('log_shard_map', { partitionKey: 'pk' })
}

type Request = { readonly operation: string; readonly input: { readonly TableName?: string; Key?: object } }

/** Lets requests fail for which the process has no permission. */
function deny(tables: FakeTables, isDenied: (request: Request) => boolean) {
  const execute = tables.execute.bind(tables)
  tables.execute = (operation, input) => {
    if (isDenied({ operation, input })) throw new Refusal('AccessDeniedException', 'not authorized')
    return execute(operation, input)
  }
}

function processOf(
  tables: FakeTables,
  clock: VirtualClock,
  {
    table = {},
    more = {},
    seed = 1,
    random = new SeededRandom(seed),
    parts,
  }: {
    readonly table?: Partial<ShardedTableOptions>
    readonly more?: Partial<IsothermOptions>
    readonly seed?: number
    readonly random?: Random
    /** Those of a client that can do less. */
    readonly parts?: readonly Part[] | undefined
  } = {},
) {
  const events: IsothermEvent[] = []
  const options: IsothermOptions = {
    tables: {
      log: { ...KEYS, suffix: 'random', cacheTtl: '10s', shards: dynamicShards({ quiet: false }), ...table },
    },
    clock,
    random,
    onEvent: (event) => events.push(event),
    ...more,
  }
  const client = bareClient(tables)
  const db = parts === undefined ? isotherm(client, options) : ofParts(client, { ...options, parts })
  let at = 0
  const put = (pk = 'k') =>
    db.send(new PutItemCommand({ TableName: 'log', Item: { pk: { S: pk }, at: { N: String(at++) } } }))
  const query = (pk = 'k') =>
    db.send(
      new QueryCommand({
        TableName: 'log',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: pk } },
      }),
    )
  /** @returns how many shards are read */
  const shardsRead = async (pk?: string) => {
    tables.requests.length = 0
    await query(pk)
    return tables.requests.filter(({ operation }) => operation === 'Query').length
  }
  const failed = () => events.flatMap((event) => (event.type === 'failed' ? [event.task] : []))
  return { db, put, query, shardsRead, events, failed }
}

const isOfMap = ({ input }: Request) => input.TableName === 'log_shard_map'
const isOfCard = (request: Request) =>
  isOfMap(request) && JSON.stringify(request.input.Key).includes(CARD_KEY)

describe('a process that may not', () => {
  const isScan = ({ operation, input }: Request) => operation === 'Scan' && input.TableName === 'log'

  it('scan its table uses it all the same, and says that its items were not compared with the options', async () => {
    const tables = account()
    deny(tables, isScan)
    const clock = new VirtualClock()
    const { put, failed } = processOf(tables, clock)
    await clock.run(() => put())
    expect(failed()).toEqual(['sample-table'])
    expect(tables.items('log')).toHaveLength(1)
  })

  it('scan its table needs not with checkItems: false', async () => {
    const tables = account()
    const clock = new VirtualClock()
    const { put, failed } = processOf(tables, clock, { table: { checkItems: false } })
    await clock.run(() => put())
    expect(tables.requests.filter(isScan)).toEqual([])
    expect(failed()).toEqual([])
  })
})

describe('a refresh in the background that fails', () => {
  it.each([
    ['the card', 'cold', isOfCard],
    ['the count of a key', 'k', (request: Request) => isOfMap(request) && !isOfCard(request)],
  ])('of %s is an event, and no request fails', async (_what, key, isDenied) => {
    const tables = account()
    const clock = new VirtualClock()
    const { db, put, failed } = processOf(tables, clock)
    await clock.run(async () => {
      await db.shards('log', 'k').set(3)
      await put(key)
      deny(tables, (request) => request.operation === 'GetItem' && isDenied(request))
      await clock.sleep(6_000)
      await put(key)
      await clock.sleep(1)
    })
    expect(failed()).toEqual(['refresh-shard-map'])
    expect(tables.items('log')).toHaveLength(2)
  })
})

describe('the second-level cache', () => {
  it('gives a process the counts that another one has read', async () => {
    const tables = account()
    const clock = new VirtualClock()
    const more = { secondLevelCache: { cache: new MemoryCache() } }
    const first = processOf(tables, clock, { more })
    const second = processOf(tables, clock, { more, seed: 2 })
    await clock.run(async () => {
      await first.db.shards('log', 'k').set(3)
      tables.requests.length = 0
      expect(await second.shardsRead()).toBe(3)
      expect(tables.requests.filter((request) => isOfMap(request) && !isOfCard(request))).toEqual([])
    })
  })

  it('gives it no counts of a table of another account, which has the same name', async () => {
    const [one, other] = [account(), account()]
    const clock = new VirtualClock()
    const more = { secondLevelCache: { cache: new MemoryCache() } }
    const first = processOf(one, clock, { more })
    const second = processOf(other, clock, { more, seed: 2 })
    await clock.run(async () => {
      await second.db.shards('log', 'k').set(5)
      await first.db.shards('log', 'k').set(3)
      const third = processOf(other, clock, { more, seed: 3 })
      expect(await third.shardsRead()).toBe(5)
    })
  })

  it('that does not answer is an event, and the shard map is read', async () => {
    const tables = account()
    const clock = new VirtualClock()
    const denied = () => Promise.reject(new Error('denied'))
    const more = { secondLevelCache: { cache: { get: denied, set: denied } } }
    const { db, put, shardsRead, failed } = processOf(tables, clock, { more })
    await clock.run(async () => {
      await put()
      await db.shards('log', 'k').set(3)
      await clock.sleep(20_000)
      expect(await shardsRead()).toBe(3)
    })
    expect(new Set(failed())).toEqual(new Set(['second-level-cache']))
  })

  it('is not used for a calculated suffix, whose phases must not depend on wall clocks', async () => {
    const tables = account()
    const clock = new VirtualClock()
    const cache = new MemoryCache()
    const { db } = processOf(tables, clock, {
      table: { suffix: 'calculated' },
      more: { secondLevelCache: { cache } },
    })
    await clock.run(async () => {
      await db.shards('log', 'k').set(2)
      db.destroy()
    })
    expect(cache.texts.size).toBe(0)
  })
})

/** The item of a key in the shard map. */
const stateOf = (tables: FakeTables, key = 'k') =>
  (tables.items('log_shard_map') as readonly StoredItem[]).find(({ pk }) => pk?.S === key)

describe('a process that removes no shards', () => {
  const parts = [appends, queries]

  it('uses the counts of others, and adds shards', async () => {
    const tables = account()
    const clock = new VirtualClock()
    const full = processOf(tables, clock)
    const shards = dynamicShards({ partitionUnitsPerSecond: 20 })
    const small = processOf(tables, clock, { parts, seed: 2, table: { shards } })
    let attempts = 0
    tables.beforeWrite = (table) => {
      attempts += 1
      if (table === 'log' && attempts % 2 === 0) throw hotPartition()
    }
    await clock.run(async () => {
      await full.db.shards('log', 'k').set(3)
      expect(await small.shardsRead()).toBe(3)
      await clock.sleep(60_000)
      expect(await small.shardsRead()).toBe(3)
      const writes: Promise<unknown>[] = []
      for (let write = 0; write < 120; write++) {
        writes.push(small.put('hot'))
        await clock.sleep(25)
      }
      await Promise.all(writes)
    })
    expect(small.events.map(({ type }) => type)).toContain('scaled')
    expect(small.failed()).toEqual([])
  })
})

it('a report of throttles that fails is an event, and fails no write', async () => {
  const tables = account()
  const clock = new VirtualClock()
  const { put, events, failed } = processOf(tables, clock, {
    table: { shards: dynamicShards({ partitionUnitsPerSecond: 20 }) },
  })
  let isHot = true
  tables.beforeWrite = (table) => {
    if (table === 'log' && isHot) throw hotPartition()
  }
  await clock.run(async () => {
    deny(tables, (request) => request.operation === 'UpdateItem' && isOfMap(request) && !isOfCard(request))
    const writes: Promise<unknown>[] = []
    for (let write = 0; write < 100; write++) writes.push(put())
    await clock.sleep(10)
    isHot = false
    await Promise.all(writes)
  })
  expect(events.map(({ type }) => type)).toContain('throttled')
  expect(failed()).toEqual(['scale'])
})

describe('a key that uses few of its shards', () => {
  const A_TENTH_OF_AN_HOUR = 360_000

  /** Reads all shards of a key that was quiet for a while. By chance, the read is reported, with 999 others. */
  async function read(quiet: '1h' | false) {
    const tables = account()
    const clock = new VirtualClock()
    const { db, query, failed } = processOf(tables, clock, {
      table: { shards: dynamicShards({ quiet }) },
      random: { next: () => 0 } as Random,
    })
    await clock.run(async () => {
      await db.shards('log', 'k').set(3)
      await clock.sleep(A_TENTH_OF_AN_HOUR)
      await query()
      await clock.sleep(6_000)
      await query()
      await clock.sleep(1)
    })
    expect(failed()).toEqual([])
    return stateOf(tables)
  }

  it('tells the fleet what its shards cost to read', async () => {
    expect(await read('1h')).toMatchObject({ quiet_reads: { N: '1000' } })
  })

  it('keeps them, with quiet: false, and no process looks at what they cost', async () => {
    expect(await read(false)).not.toHaveProperty('quiet_reads')
  })
})

describe('a key that is quiet', () => {
  /** Reads a key with four shards now and then for two minutes. @returns its shards then */
  async function countAfterQuiet(parts?: readonly Part[]) {
    const tables = account()
    const clock = new VirtualClock()
    const shards = dynamicShards({ quiet: '1m', shrink: 'always', jitter: ['0s', '0s'] })
    const full = processOf(tables, clock)
    const { db, query } = processOf(tables, clock, { table: { shards }, parts, seed: 2 })
    await clock.run(async () => {
      await full.db.shards('log', 'k').set(4)
      for (let at = 0; at < 12 && stateOf(tables)?.number_of_shards?.N === '4'; at++) {
        await query()
        await clock.sleep(10_000)
      }
    })
    // Nobody moves its items here.
    full.db.destroy()
    db.destroy()
    return stateOf(tables)?.number_of_shards
  }

  it('loses shards by a process that uses it', async () => {
    expect(await countAfterQuiet()).toEqual({ N: '1' })
  })

  it('keeps them while only processes use it that remove none', async () => {
    expect(await countAfterQuiet([appends, queries])).toEqual({ N: '4' })
  })
})

describe('a process that uses a key', () => {
  /** Three shards of eight units a second are quiet below three units a second. A process looks every five seconds. */
  async function busyVotes({
    chance,
    writesPerSecond = 0,
    queriesPerSecond = 0,
    reads,
  }: {
    readonly chance: number
    readonly writesPerSecond?: number
    readonly queriesPerSecond?: number
    readonly reads?: ReadGrowth
  }) {
    const tables = account()
    const clock = new VirtualClock()
    const { db, put, query } = processOf(tables, clock, {
      random: { next: () => chance } as Random,
      table: { shards: dynamicShards({ quiet: '1m', partitionUnitsPerSecond: 8, reads }) },
    })
    await clock.run(async () => {
      await db.shards('log', 'k').set(3)
      for (let each = 0; each < 40 * (writesPerSecond + queriesPerSecond); each++) {
        await (writesPerSecond > 0 ? put() : query())
        await clock.sleep(1_000 / (writesPerSecond + queriesPerSecond))
      }
    })
    return tables.requests.filter(
      ({ operation, input }) =>
        operation === 'UpdateItem' && JSON.stringify(input.ExpressionAttributeNames).includes('last_busy'),
    ).length
  }

  it('votes for its shards about ten times in a quiet period, if it uses them, and in proportion if it uses less', async () => {
    // With 0.9 of 3 units, the chance of a vote is a quarter at each look: 0.3 * 5 s / 6 s.
    expect(await busyVotes({ chance: 0.3, writesPerSecond: 0.9 })).toBe(0)
    expect(await busyVotes({ chance: 0.2, writesPerSecond: 0.9 })).toBeGreaterThanOrEqual(2)
    expect(await busyVotes({ chance: 0.99, writesPerSecond: 4 })).toBeGreaterThanOrEqual(2)
  })

  it('votes for them because of its reads, if reads add shards', async () => {
    // Eight queries of three shards are twelve read units, and use as much of a partition as four write units here.
    const load = { chance: 0.99, queriesPerSecond: 8 }
    const reads = growByReads({ partitionUnitsPerSecond: 24 })
    expect(await busyVotes({ ...load, reads })).toBeGreaterThanOrEqual(2)
    expect(await busyVotes(load)).toBe(0)
  })
})

describe('while the shard map does not answer', () => {
  async function putInOutage(suffix: 'random' | 'calculated') {
    const tables = account()
    const clock = new VirtualClock()
    const { put, events } = processOf(tables, clock, { table: { suffix, retryDeadline: '1s' } })
    await clock.run(async () => {
      await put()
      deny(tables, isOfMap)
      await clock.sleep(11_000)
      await put().catch(() => {})
    })
    return {
      items: tables.items('log').length,
      actions: events.flatMap((event) => (event.type === 'shard-map-unavailable' ? [event.action] : [])),
    }
  }

  it('new items with a random suffix go to the first shard', async () => {
    expect(await putInOutage('random')).toEqual({ items: 2, actions: ['append-to-first-shard'] })
  })

  it('those with a calculated suffix, which have one place, are not stored', async () => {
    expect(await putInOutage('calculated')).toEqual({ items: 1, actions: ['wait'] })
  })
})

describe('the first process of a table', () => {
  const item = (pk: string) => ({ TableName: 'log', Item: { pk: { S: pk }, at: { N: '0' } } })
  const count = (pk: string, shards: number) => ({
    TableName: 'log_shard_map',
    Item: { pk: { S: pk }, number_of_shards: { N: String(shards) }, last_updated: { N: '5' } },
  })

  it('refuses a table with items where its options place none', async () => {
    const tables = account()
    tables.execute('PutItem', item('other_3'))
    const clock = new VirtualClock()
    const { put } = processOf(tables, clock)
    await clock.run(async () =>
      expect(put()).rejects.toMatchObject({
        code: 'items.elsewhere',
        details: { table: 'log', storedKey: 'other_3', shard: 3, shards: 1 },
      }),
    )
  })

  it('knows from its shard map where items of hot keys are', async () => {
    const tables = account()
    tables.execute('PutItem', item('other_3'))
    tables.execute('PutItem', count('other', 4))
    const clock = new VirtualClock()
    const { put, shardsRead } = processOf(tables, clock)
    await clock.run(async () => {
      await put()
      expect(await shardsRead('other')).toBe(4)
    })
  })

  it.each(['random', 'calculated'] as const)(
    'of which every key may have a count asks once for one that has none (suffix: %s)',
    async (suffix) => {
      const tables = account()
      tables.execute('PutItem', count('other', 4))
      const clock = new VirtualClock()
      const { put } = processOf(tables, clock, { table: { suffix } })
      await clock.run(async () => {
        await put()
        await put()
        await put()
      })
      const reads = tables.requests.filter(
        (request) => request.operation === 'GetItem' && isOfMap(request) && !isOfCard(request),
      )
      expect(reads).toHaveLength(1)
    },
  )

  const inTwoRegions = () => {
    const tables = account()
    const execute = tables.execute.bind(tables)
    tables.execute = (operation, input) => {
      const answer = execute(operation, input)
      if (operation !== 'DescribeTable' || input.TableName !== 'log') return answer
      const { Table } = answer as { Table: object }
      return { Table: { ...Table, Replicas: [{ RegionName: 'us-east-1' }, { RegionName: 'eu-west-1' }] } }
    }
    return tables
  }

  it.each([
    { quiet: '1h', refused: true },
    { quiet: false, refused: false },
  ] as const)('refuses a global table whose counts may fall (quiet: $quiet)', async ({ quiet, refused }) => {
    const tables = inTwoRegions()
    const clock = new VirtualClock()
    const { put } = processOf(tables, clock, {
      table: { shards: dynamicShards({ quiet }), shardMap: { client: bareClient(tables) } },
    })
    await clock.run(async () => {
      const stored = put()
      if (refused) await expect(stored).rejects.toMatchObject({ code: 'table.unfit' })
      else await stored
    })
  })
})

it('a process reads a key each second when its next phase is due, and does not stay in the phase before', async () => {
  const tables = account()
  const clock = new VirtualClock()
  const table = { suffix: 'calculated', lateRequests: '5s' } as const
  const isOfKey = (request: Request) =>
    request.operation === 'GetItem' && isOfMap(request) && !isOfCard(request)
  const first = processOf(tables, clock, { table })
  const second = processOf(tables, clock, { table, seed: 2 })
  const readsDuring = async (seconds: number) => {
    tables.requests.length = 0
    for (let at = 0; at < seconds; at++) {
      await second.query()
      await clock.sleep(1_000)
    }
    return tables.requests.filter(isOfKey).length
  }
  await clock.run(async () => {
    await first.db.shards('log', 'k').set(2)
    // Nobody continues the change.
    first.db.destroy()
    // Half of its lifetime of ten seconds.
    expect(await readsDuring(14)).toBeLessThanOrEqual(3)
    await clock.sleep(2_000)
    expect(await readsDuring(10)).toBeGreaterThanOrEqual(8)
  })
  second.db.destroy()
})
