import {
  DeleteTableCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { dynamicShards, isotherm as library } from 'isotherm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isotherm, isothermInTerminal } from '../isotherm.fixture.js'

const local = createLocal({ throttle: false })
const QUICK = { cacheTtl: '50ms', lateRequests: '50ms' } as const
let endpoint = ''

const open = (client: DynamoDBClient) =>
  library<DynamoDBClient>(client, {
    tables: {
      log: {
        partitionKey: 'pk',
        sortKey: 'at',
        suffix: 'calculated',
        shards: dynamicShards({ quiet: false }),
        ...QUICK,
      },
    },
  })
const put = (pk: string, at: number) =>
  new PutItemCommand({ TableName: 'log', Item: { pk: { S: pk }, at: { S: `${at}` } } })

beforeAll(async () => {
  endpoint = (await local.listen({ port: 0 })).url
  const client = local.client()
  await client.send(createTable('log', ['pk', 'at']))
  await client.send(createTable('log_shard_map', ['pk']))
  const db = open(client)
  await db.shards('log', '/sale').set(6)
  await db.shards('log', '/sale').drain()
  for (let at = 0; at < 40; at++) await db.send(put('/sale', at))
  db.destroy()
  await client.send(new DeleteTableCommand({ TableName: 'log_shard_map' }))
})
afterAll(() => local.close())

const WAITS = ['--cache-ttl', QUICK.cacheTtl, '--late-requests', QUICK.lateRequests]
const rebuild = (...args: readonly string[]) =>
  isotherm('shards', 'rebuild', '--table', 'log', '--endpoint', endpoint, '--rate', '10000', ...args)

describe('isotherm shards rebuild', () => {
  it('says what it would write, and writes nothing', async () => {
    const { code, out } = await rebuild('--suffix', 'calculated', '--dry-run')
    expect(out).toContain('log_shard_map of log can be rebuilt. Nothing was written.')
    expect(out).toContain('40 items were read. 1 key has a count of its own, the highest is 6.')
    expect(code).toBe(0)
    await expect(open(local.client()).send(put('/sale', 1))).rejects.toMatchObject({
      code: 'shard-map.missing',
    })
  })

  it('states the price before it begins in a terminal', async () => {
    const args = ['--table', 'log', '--suffix', 'calculated', '--endpoint', endpoint, '--dry-run']
    const { err } = await isothermInTerminal('shards', 'rebuild', ...args)
    expect(err).toMatch(/^log: about 40 items to read, 1 read units and 1 s\.\n/)
  })

  // There is no card yet that could refuse the delimiter.
  it('exits with 1 and lists items that no count explains', async () => {
    const { code, out } = await rebuild('--suffix', 'calculated', '--delimiter', '#', '--dry-run')
    expect(out).toContain('cannot be rebuilt')
    expect(out).toMatch(/40 items are in shards where no count of their key puts them/)
    expect(out).toMatch(/^ {2}and 20 more\nMove or delete them/m)
    expect(code).toBe(1)
  })

  it('rebuilds the shard map', async () => {
    const { code, out } = await rebuild('--suffix', 'calculated', ...WAITS, '--json')
    expect(JSON.parse(out)).toMatchObject({ isRebuilt: true, keys: 1, items: 40, unexplained: 0 })
    expect(code).toBe(0)
    const db = open(local.client())
    const query = {
      TableName: 'log',
      KeyConditionExpression: 'pk = :k',
      ExpressionAttributeValues: { ':k': { S: '/sale' } },
    }
    expect((await db.send(new QueryCommand(query))).Count).toBe(40)
    db.destroy()
  })

  it('may replace a card with other options', async () => {
    const args = ['--suffix', 'calculated', '--delimiter', '#', '--dry-run', '--replace-card']
    const { code, out } = await rebuild(...args)
    expect(out).toContain('cannot be rebuilt')
    expect(code).toBe(1)
  })

  it.each([
    ['without a suffix', [], /--suffix is missing/, 2],
    ['with from and a random suffix', ['--suffix', 'random', '--from', 'at'], /--from is 'at'/, 2],
    [
      'with flags beside the options',
      ['--options', './x.js', '--shard-map', 'x'],
      /--shard-map cannot be used/,
      2,
    ],
    [
      'with another delimiter than the card has',
      ['--suffix', 'calculated', '--delimiter', '#'],
      /sharded with delimiter _/,
      1,
    ],
    [
      'with another delimiter than the card has, in a dry run',
      ['--suffix', 'calculated', '--delimiter', '#', '--dry-run'],
      /sharded with delimiter _/,
      1,
    ],
  ] as const)('says in one sentence what is wrong %s', async (_what, args, message, exitCode) => {
    const { code, err } = await rebuild(...args)
    expect(err).toMatch(message)
    // The price comes before the work.
    const sentences = err
      .trimEnd()
      .split('\n')
      .filter((line) => !/ items to read, .* units and \d+ s\.$/.test(line))
    expect(sentences).toHaveLength(1)
    expect(code).toBe(exitCode)
  })
})
