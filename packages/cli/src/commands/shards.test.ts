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
  }, 30_000)

  it.each([
    ['a key that was never written', ['price', '--key', '/none', '--to', '1'], /never written/, 1],
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
