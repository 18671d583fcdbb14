import { type DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { dynamicShards, isotherm as library } from 'isotherm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isotherm } from '../isotherm.fixture.js'

const local = createLocal({ throttle: false })
const QUICK = { cacheTtl: '50ms', lateRequests: '50ms' } as const
let endpoint = ''

beforeAll(async () => {
  endpoint = (await local.listen({ port: 0 })).url
  const client = local.client()
  await client.send(createTable('log', ['pk', 'at']))
  await client.send(createTable('log_shard_map', ['pk']))
  const db = library<DynamoDBClient>(client, {
    tables: {
      log: {
        partitionKey: 'pk',
        sortKey: 'at',
        suffix: 'random',
        shards: dynamicShards({ quiet: false }),
        ...QUICK,
      },
    },
  })
  await db.shards('log', '/sale').set(8)
  for (let at = 0; at < 40; at++) {
    await db.send(new PutItemCommand({ TableName: 'log', Item: { pk: { S: '/sale' }, at: { S: `${at}` } } }))
  }
  db.destroy()
})
afterAll(() => local.close())

const shards = (command: string, ...args: readonly string[]) =>
  isotherm('shards', command, '--table', 'log', '--endpoint', endpoint, '--suffix', 'random', ...args)

describe('isotherm shards', () => {
  it('states the price of fewer shards, and writes nothing', async () => {
    const { code, out } = await shards('price', '--key', '/sale', '--to', '2')
    expect(out).toMatch(/^"\/sale" from 8 shards to 2: \d+ items to move, about \d+ write units/)
    expect(out).toContain('What it saves is not known')
    expect(code).toBe(0)
    const json = await shards('price', '--key', '/sale', '--to', '8', '--json')
    expect(JSON.parse(json.out)).toMatchObject({ from: 8, to: 8, items: 0 })
  })

  const without = (command: string, ...args: readonly string[]) =>
    isotherm('shards', command, '--table', 'log', '--endpoint', endpoint, ...args)

  it('lists keys, those with the most shards first', async () => {
    await without('set', '--key', '/calm', '--to', '2')
    const { code, out } = await without('list')
    expect(code).toBe(0)
    expect(out).toContain('2 keys of log have their own counts.')
    expect(out.indexOf('/sale')).toBeLessThan(out.indexOf('/calm'))
    const json = JSON.parse((await without('list', '--top', '1', '--json')).out)
    expect(json).toMatchObject({ found: 2, keys: [{ key: '/sale', shards: 8, phase: 'settled' }] })
    expect(json.keys).toHaveLength(1)
  })

  it('works on an adopted table with a random suffix whose keys begin with several shards', async () => {
    const client = local.client()
    await client.send(createTable('votes', ['pk', 'at']))
    await client.send(createTable('votes_shard_map', ['pk']))
    const shards = dynamicShards({ initial: 4, quiet: false })
    const votes = { partitionKey: 'pk', sortKey: 'at', suffix: 'random', adopt: true, shards } as const
    const db = library<DynamoDBClient>(client, { tables: { votes } })
    await db.send(new PutItemCommand({ TableName: 'votes', Item: { pk: { S: 'a' }, at: { S: '1' } } }))
    db.destroy()
    const set = ['set', '--table', 'votes', '--key', 'a', '--to', '6', '--endpoint', endpoint, '--json']
    const { code, out } = await isotherm('shards', ...set)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ key: 'a', shards: 6 })
  })

  it('lists no key that has the initial count again', async () => {
    await without('set', '--key', '/once', '--to', '2')
    await without('set', '--key', '/once', '--to', '1')
    const listed = async () => {
      const { keys } = JSON.parse((await without('list', '--json')).out)
      return keys.map(({ key }: { key: string }) => key)
    }
    expect(await listed()).toContain('/once')
    const times = ['--cache-ttl', '50ms', '--late-requests', '50ms']
    expect((await without('drain', '--key', '/once', ...times)).code).toBe(0)
    expect(await listed()).not.toContain('/once')
  })

  it('lists a lowered count as the command for one key shows it, until it is drained', async () => {
    await without('set', '--key', '/over', '--to', '6')
    await without('set', '--key', '/over', '--to', '2')
    const { keys } = JSON.parse((await without('list', '--json')).out)
    const listed = keys.find(({ key }: { key: string }) => key === '/over')
    const { phase, readableShards } = JSON.parse((await without('show', '--key', '/over', '--json')).out)
    expect({ phase, readableShards }).toEqual({ phase: 'retired', readableShards: 6 })
    expect(listed).toMatchObject({ shards: 2, phase, readableShards })
    expect((await without('list')).out).toMatch(/\/over +│ +2 │ +6 │ retired/)
  })

  it('shows and sets the count of a key, by the suffix that the shard map names', async () => {
    const shown = await without('show', '--key', '/sale')
    expect(shown.out).toMatch(
      /^"\/sale": writes go to 8 shards, queries read 8\. Nothing is changing\. Last written 20/,
    )
    const dry = await without('set', '--key', '/new', '--to', '4', '--dry-run')
    expect(dry).toMatchObject({
      code: 0,
      out: expect.stringContaining('"/new" from the initial count to 4 shards'),
    })
    expect((await without('show', '--key', '/new')).err).toContain(
      "The key '/new' of log is not in the shard map",
    )
    const price = await without('set', '--key', '/sale', '--to', '2', '--dry-run')
    expect(price.out).toContain('"/sale" from 8 shards to 2')
    const set = await without('set', '--key', '/new', '--to', '4', '--json')
    expect(JSON.parse(set.out)).toMatchObject({ key: '/new', shards: 4 })
    expect(set.err).toBe(
      '"/new" from the initial count to 4 shards: no item moves, and the shard map is written twice.\n',
    )
    const drained = await without('drain', '--key', '/sale', '--to', '2', '--dry-run')
    expect(drained.out).toContain('"/sale" from 8 shards to 2')
    expect((await without('show', '--key', '/sale')).out).toContain('writes go to 8 shards')
  })

  it('states the time at the rate that is asked for', async () => {
    const seconds = async (rate: string) => {
      const { out } = await without(
        'drain',
        '--key',
        '/sale',
        '--to',
        '2',
        '--dry-run',
        '--json',
        '--rate',
        rate,
      )
      return JSON.parse(out).seconds
    }
    expect(await seconds('10')).toBeGreaterThan(await seconds('10000'))
  })

  it('says which command ends a change that is in the way, and fails', async () => {
    const args = ['--key', '/changing', '--to', '4', '--suffix', 'calculated', '--adopt']
    const calc = (command: string, ...more: string[]) =>
      isotherm('shards', command, '--table', 'ledger', '--endpoint', endpoint, ...args, ...more)
    const client = local.client()
    await client.send(createTable('ledger', ['pk', 'at']))
    await client.send(createTable('ledger_shard_map', ['pk']))
    const data = { pk: { S: '/changing' }, text: { S: 'x'.repeat(1_500) } }
    for (let at = 0; at < 10; at++) {
      await client.send(new PutItemCommand({ TableName: 'ledger', Item: { ...data, at: { S: `${at}` } } }))
    }
    const price = { to: 4, itemsAtMost: 10, writeUnitsAtMost: 100, secondsAtMost: 1 }
    expect(JSON.parse((await calc('set', '--dry-run', '--json')).out)).toEqual(price)
    const set = await calc('set')
    expect(set).toMatchObject({
      code: 0,
      err: '"/changing" from the initial count to 4 shards. Items that belong to other shards move; --dry-run counts the items.\n',
    })
    // The price of what is left of the change. Three more shards are read, at half a unit each, and count as bytes of the items.
    const left = [
      'drain',
      '--table',
      'ledger',
      '--key',
      '/changing',
      '--suffix',
      'calculated',
      '--adopt',
      '--dry-run',
    ]
    expect((await isotherm('shards', ...left, '--endpoint', endpoint)).out).toBe(
      '"/changing" from 1 to 4 shards: at most 10 items to move, 200 write units without indexes, 2 s.\n',
    )
    expect(await calc('set', '--dry-run')).toMatchObject({ code: 1, out: '' })
    expect(await calc('drain', '--dry-run')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('bring it to its end with isotherm shards drain.'),
    })
  })

  it('says how to resume a drain when Ctrl-C ends it', async () => {
    const drained = isotherm(
      'shards',
      'drain',
      ...[
        '--table',
        'ledger',
        '--key',
        '/changing',
        '--suffix',
        'calculated',
        '--adopt',
        '--endpoint',
        endpoint,
      ],
    )
    // The change of a calculated suffix first waits until other processes know of it.
    const before = process.listenerCount('SIGINT')
    const look = setInterval(() => {
      if (process.listenerCount('SIGINT') === before) return
      clearInterval(look)
      process.emit('SIGINT')
    }, 5)
    const { code, out, err } = await drained
    expect({ code, out }).toEqual({ code: 130, out: '' })
    expect(err).toContain(
      "The drain of '/changing' of ledger was ended after at least 0 items. The same command",
    )
  })

  it('creates the shard map of a table once', async () => {
    const client = local.client()
    await client.send(createTable('other', ['id:B']))
    const create = (...args: string[]) =>
      isotherm('shards', 'create-table', '--table', 'other', '--endpoint', endpoint, ...args)
    expect((await create('--dry-run')).out).toContain('Would create the on-demand table other_shard_map')
    for (let times = 0; times < 2; times++) {
      expect(await create()).toEqual({ code: 0, out: 'The shard map other_shard_map is active.\n', err: '' })
    }
    const unsaid = await isotherm('shards', 'show', '--table', 'other', '--key', 'a', '--endpoint', endpoint)
    expect(unsaid).toMatchObject({
      code: 1,
      err: expect.stringContaining('does not say how the table is sharded'),
    })
    const listed = (...args: readonly string[]) => isotherm('shards', 'list', '--endpoint', endpoint, ...args)
    expect(await listed('--table', 'nothing')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('There is no table nothing in the region'),
    })
    expect(await listed('--table', 'log', '--shard-map', 'log_map')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('The table log has no shard map log_map in'),
    })
  })

  it.each([
    ['show', []],
    ['set', ['--to', '2']],
    ['price', ['--to', '1']],
    ['drain', []],
  ])(
    'tells a table or a shard map that is not there from one that was never used (%s)',
    async (command, more) => {
      const of = (table: string, ...args: readonly string[]) =>
        isotherm('shards', command, '--table', table, '--key', 'a', '--endpoint', endpoint, ...more, ...args)
      const noTable = {
        code: 1,
        out: '',
        err: 'isotherm: There is no table lgo in the region eu-west-3. Check --table, --region, --endpoint and --profile.\n',
      }
      expect(await of('lgo', '--region', 'eu-west-3')).toEqual(noTable)
      expect(await of('lgo', '--region', 'eu-west-3', '--suffix', 'random')).toEqual(noTable)
      await local
        .client()
        .send(createTable('mapless', ['pk']))
        .catch(() => undefined)
      const noMap = await of('mapless')
      expect(noMap).toMatchObject({ code: 1, out: '' })
      expect(noMap.err).toContain('The table mapless has no shard map mapless_shard_map in the region ')
      expect(noMap.err).toContain('name the map with --shard-map')
      expect((await of('log', '--shard-map', 'log_map')).err).toContain(
        'The table log has no shard map log_map in',
      )
    },
  )

  it('changes the count and drains the shards that are gone', async () => {
    const waits = ['--cache-ttl', QUICK.cacheTtl, '--late-requests', QUICK.lateRequests]
    const { code, out } = await shards('drain', '--key', '/sale', '--to', '1', '--rate', '10000', ...waits)
    expect(out).toMatch(
      /^\d+ items of "\/sale" were moved\. Shards of the key now: 1\. Readers ask no others\.\n$/,
    )
    expect(code).toBe(0)
    const { Items = [] } = await local.client().send(new ScanCommand({ TableName: 'log' }))
    expect(Items).toHaveLength(40)
    expect(new Set(Items.map(({ pk }) => pk?.S))).toEqual(new Set(['/sale_1']))
  })

  it('names the items that exist in two shards, and deletes the copy that does not count when it may', async () => {
    const client = local.client()
    const waits = ['--cache-ttl', QUICK.cacheTtl, '--late-requests', QUICK.lateRequests]
    const key = ['--key', '/twice', '--rate', '10000', ...waits]
    await shards('set', '--key', '/twice', '--to', '2', ...waits)
    for (const shard of [1, 2]) {
      const Item = { pk: { S: `/twice_${shard}` }, at: { S: 'noon' }, copy: { N: `${shard}` } }
      await client.send(new PutItemCommand({ TableName: 'log', Item }))
    }
    const kept = await shards('drain', '--to', '1', ...key)
    expect(kept.code).toBe(1)
    expect(kept.out).toContain('Compare them, and run the command again with --discard.')
    expect(kept.err).toContain(
      '  "/twice", sort key "noon": shard 1 has the copy that counts, and shard 2 the other\n',
    )
    const discarded = await shards('drain', '--discard', ...key)
    expect(discarded).toMatchObject({ code: 0, out: expect.stringContaining('Shards of the key now: 1.') })
    expect(discarded.err).not.toContain('exist in two shards')
    const { Items = [] } = await client.send(new ScanCommand({ TableName: 'log' }))
    expect(Items.filter(({ copy }) => copy !== undefined)).toEqual([
      { pk: { S: '/twice_1' }, at: { S: 'noon' }, copy: { N: '1' } },
    ])
  })

  it('changes the count of a key that the shard map does not have', async () => {
    const waits = ['--cache-ttl', QUICK.cacheTtl, '--late-requests', QUICK.lateRequests]
    const key = ['--key', '/never-hot', '--to', '2']
    const dry = await shards('drain', ...key, '--dry-run')
    expect(dry).toMatchObject({
      code: 0,
      out: expect.stringContaining('"/never-hot" from the initial count to 2 shards'),
    })
    const { code, out } = await shards('drain', ...key, ...waits)
    expect(out).toContain('Shards of the key now: 2.')
    expect(code).toBe(0)
  })

  it.each([
    ['a drain of a key that was never hot', ['drain', '--key', '/none'], /is not in the shard map/, 1],
    ['a key that was never written', ['price', '--key', '/none', '--to', '1'], /is not in the shard map/, 1],
    [
      'a count above the present one',
      ['price', '--key', '/sale', '--to', '9'],
      /shards\.price\(count\) is 9/,
      2,
    ],
    ['no count', ['price', '--key', '/sale'], /--to/, 2],
    ['no key', ['drain'], /--key/, 2],
  ] as const)(
    'says in one sentence what is wrong with %s',
    async (_what, [command, ...args], message, exitCode) => {
      const { code, err } = await shards(command, ...args)
      expect(err).toMatch(message)
      expect(code).toBe(exitCode)
    },
  )
})
