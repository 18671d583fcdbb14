import { type DynamoDBClient, GetItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { calculated, dynamicShards, isotherm as library } from 'isotherm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isotherm, isothermInTerminal } from '../isotherm.fixture.js'

const local = createLocal({ throttle: false })
const QUICK = { cacheTtl: '500ms', lateRequests: '500ms' } as const
const WAITS = ['--cache-ttl', QUICK.cacheTtl, '--late-requests', QUICK.lateRequests]
let endpoint = ''

const sharded = () =>
  library<DynamoDBClient>(local.client(), {
    tables: {
      orders: {
        partitionKey: 'customer',
        sortKey: 'order',
        suffix: calculated({ from: ['order', 'customer'] }),
        shards: dynamicShards({ initial: 2, quiet: false }),
        delimiter: '#',
        ...QUICK,
      },
    },
  })

beforeAll(async () => {
  endpoint = (await local.listen({ port: 0 })).url
  const client = local.client()
  await client.send(createTable('orders', ['customer', 'order']))
  await client.send(createTable('orders_shard_map', ['customer']))
  for (const name of ['plain', 'unused', 'unused_shard_map']) await client.send(createTable(name, ['pk']))
  const db = sharded()
  for (let at = 0; at < 40; at++) {
    const Item = { customer: { S: 'acme' }, order: { S: `${at}` } }
    await db.send(new PutItemCommand({ TableName: 'orders', Item }))
  }
  db.destroy()
})
afterAll(() => local.close())

const migrate = (...args: readonly string[]) => isotherm('migrate', ...args, '--endpoint', endpoint)

async function storedShards(): Promise<number> {
  const { Items = [] } = await local.client().send(new ScanCommand({ TableName: 'orders' }))
  expect(Items).toHaveLength(40)
  return new Set(Items.map(({ customer }) => customer?.S)).size
}

describe('isotherm migrate', () => {
  it('states the price, and writes nothing', async () => {
    const { code, out, err } = await migrate('--table', 'orders', '--to', '8', '--dry-run')
    expect(out).toMatch(/^orders from 2 initial shards to 8: /)
    expect(out + err).not.toContain('has begun')
    expect(code).toBe(0)
    expect(await storedShards()).toBe(2)
  })

  it('says that the price is without keys that have a count of their own, if these move too', async () => {
    const excluded = /without the items of keys with a count of their own, which move too/
    expect((await migrate('--table', 'orders', '--to', '8', '--dry-run')).out).not.toMatch(excluded)
    const { out } = await migrate('--table', 'orders', '--to', '2', '--all-keys', '--dry-run')
    expect(out).toMatch(excluded)
    expect(out).toContain('no item of a key with the initial count has to move')
  })

  // Most of the time it waits, as does the next test.
  it.concurrent('gives the table another count by what is on its card, and removes it again', async () => {
    const args8 = ['--table', 'orders', '--to', '8', '--rate', '10000', ...WAITS, '--endpoint', endpoint]
    const warnings: string[] = []
    const warned = ({ message }: Error) => warnings.push(message)
    process.on('warning', warned)
    const grown = await isothermInTerminal('migrate', ...args8)
    process.off('warning', warned)
    expect(warnings).toEqual([])
    expect(grown).toMatchObject({ code: 0, out: 'orders has 8 initial shards.\n' })
    // The price comes before the work.
    expect(grown.err).toMatch(/^orders from 2 initial shards to 8: up to \d+ of 40 items to move/)
    expect(grown.err.match(/has begun\. From now on, processes with initial: 8 are accepted/g)).toHaveLength(
      1,
    )
    expect(await storedShards()).toBe(8)
    const db = sharded()
    await db.shards('orders', 'acme').set(12)
    db.destroy()
    const args = ['--to', '1', '--all-keys', '--rate', '10000', '--json', ...WAITS]
    const shrunk = await migrate('--table', 'orders', ...args)
    expect(shrunk.err).toMatch(/^orders from 8 initial shards to 1: up to \d+ of 40 items to move, about/)
    expect(shrunk.err).toContain('The migration of orders has begun.')
    expect(JSON.parse(shrunk.out)).toMatchObject({ outcome: 'settled', from: 8, to: 1, ownCounts: 0 })
    expect(await storedShards()).toBe(1)
  }, 60_000)

  it.concurrent('migrates an adopted table more than once, and finds its items', async () => {
    const client = local.client()
    await client.send(createTable('adopted', ['pk', 'at']))
    await client.send(createTable('adopted_shard_map', ['pk']))
    const open = () =>
      library<DynamoDBClient>(local.client(), {
        tables: {
          adopted: {
            partitionKey: 'pk',
            sortKey: 'at',
            suffix: 'calculated',
            shards: dynamicShards({ quiet: false }),
            adopt: true,
            ...QUICK,
          },
        },
      })
    const first = open()
    const keys = Array.from({ length: 8 }, (_, at) => ({ pk: { S: 'a' }, at: { S: `${at}` } }))
    for (const Item of keys) await first.send(new PutItemCommand({ TableName: 'adopted', Item }))
    first.destroy()
    const grown = await migrate('--table', 'adopted', '--to', '3', '--rate', '10000', ...WAITS)
    expect(grown).toMatchObject({ code: 0, out: 'adopted has 3 initial shards.\n' })
    const back = await migrate('--table', 'adopted', '--to', '1', '--dry-run')
    expect(back).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^adopted from 3 initial shards to 1: /),
    })
    const db = open()
    for (const Key of keys) {
      expect((await db.send(new GetItemCommand({ TableName: 'adopted', Key }))).Item).toEqual(Key)
    }
    db.destroy()
  }, 60_000)

  it.each([
    [
      'a table that does not exist',
      ['--table', 'oders', '--to', '2'],
      /There is no table oders in the region/,
      1,
    ],
    [
      'a table without a shard map',
      ['--table', 'plain', '--to', '2'],
      /plain has no shard map plain_shard_map .* fixedShards\(n\)/,
      1,
    ],
    [
      'a shard map without a card',
      ['--table', 'unused', '--to', '2'],
      /shard map of unused does not say .* fixedShards\(n\)/,
      1,
    ],
    ['no count', ['--table', 'orders'], /--to/, 2],
    ['no number', ['--table', 'orders', '--to', 'many'], /--to is 'many'; it must be a whole number/, 2],
  ] as const)('says in one sentence that it got %s', async (_what, args, message, exitCode) => {
    const { code, err } = await migrate(...args)
    expect(err).toMatch(message)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(code).toBe(exitCode)
  })
})
