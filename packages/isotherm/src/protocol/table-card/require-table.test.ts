import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { describe, expect, it } from 'vitest'
import { scanned } from '../../../test/sharded-engine.js'
import { warmedUp } from '../../../test/warmed-up.js'
import { isotherm } from '../../client/isotherm.js'
import type { ShardedTableOptions } from '../../client/options.js'
import { dynamicShards } from '../../scaling/shards.js'

const OPTIONS = { partitionKey: 'pk', sortKey: 'sk', suffix: 'calculated', shards: dynamicShards() } as const
const WITHOUT_SORT_KEY = { partitionKey: 'pk', suffix: 'random', shards: dynamicShards() } as const
const ITEM = { pk: { S: 'k' }, sk: { N: '1' }, id: { S: 'x' }, at: { N: '1' } }

interface Refusal {
  readonly code: string
  readonly details: object
  readonly message: string
}

/** The first put of a process to a table with these keys. */
async function firstPut(
  keys: readonly [string, string?],
  options: ShardedTableOptions,
  table = 'log',
): Promise<{ readonly outcome: unknown; readonly shardMap: readonly unknown[] }> {
  const local = createLocal({ throttle: false })
  const client = await warmedUp(local.client())
  await client.send(createTable('log', keys))
  await client.send(createTable(`${table}_shard_map`, [options.partitionKey]))
  const db = isotherm(client, { tables: { [table]: options } })
  const outcome: unknown = await db
    .send(new PutItemCommand({ TableName: table, Item: ITEM }))
    .catch((error) => error)
  const shardMap = await scanned(client, `${table}_shard_map`)
  db.destroy()
  await local.close()
  return { outcome, shardMap }
}

describe('options that do not fit their table', () => {
  const WRONG: readonly [string, readonly [string, string?], ShardedTableOptions, Refusal][] = [
    [
      'the partition key has another name',
      ['id', 'sk:N'],
      OPTIONS,
      {
        code: 'table.differs',
        details: { setting: 'partitionKey', found: 'id', given: 'pk' },
        message: "The partition key of log is id, and the options say pk. Set partitionKey: 'id'.",
      },
    ],
    [
      'the sort key is misspelt',
      ['pk', 'at:N'],
      OPTIONS,
      {
        code: 'table.differs',
        details: { setting: 'sortKey', found: 'at', given: 'sk' },
        message: "The sort key of log is at, and the options say sk. Set sortKey: 'at'.",
      },
    ],
    [
      'the sort key was forgotten',
      ['pk', 'sk:N'],
      WITHOUT_SORT_KEY,
      {
        code: 'table.differs',
        details: { setting: 'sortKey', found: 'sk', given: undefined },
        message: "The sort key of log is sk, and the options say nothing of it. Set sortKey: 'sk'.",
      },
    ],
    [
      'the table has no sort key, and the options have one',
      ['pk'],
      OPTIONS,
      {
        code: 'table.unfit',
        details: { setting: 'suffix' },
        message:
          'log has no sort key, so each partition key has one item, and there is nothing else from which a shard could be calculated. One item cannot be spread over shards: use a table with a sort key.',
      },
    ],
    [
      'the partition key is a number',
      ['pk:N', 'sk:N'],
      OPTIONS,
      {
        code: 'table.unfit',
        details: { setting: 'partitionKey' },
        message:
          'The partition key pk of log is a number. A suffix needs text or bytes: store pk as text in a new table.',
      },
    ],
    [
      'a table without a sort key has a random suffix',
      ['pk'],
      WITHOUT_SORT_KEY,
      {
        code: 'table.unfit',
        details: { setting: 'suffix' },
        message:
          "log has no sort key, so with suffix 'random' each put of a key would store another copy of its item. One item cannot be spread over shards: use a table with a sort key.",
      },
    ],
  ]

  it.each(WRONG)(
    'are rejected where %s, and no card is made',
    async (_what, keys, options, { code, details, message }) => {
      const { outcome, shardMap } = await firstPut(keys, options)
      expect(outcome).toMatchObject({ code, details: { table: 'log', ...details }, message })
      expect(shardMap).toEqual([])
    },
  )

  it('are rejected where the table does not exist', async () => {
    const { outcome, shardMap } = await firstPut(['pk', 'sk:N'], OPTIONS, 'lgo')
    expect(outcome).toMatchObject({ code: 'table.missing', details: { table: 'lgo' } })
    expect(String(outcome)).toContain('lgo does not exist')
    expect(shardMap).toEqual([])
  })

  it('are rejected where neither the table nor its shard map exists, because of the table', async () => {
    const local = createLocal({ throttle: false })
    const db = isotherm(local.client(), { tables: { lgo: OPTIONS } })
    const refused = db.send(new PutItemCommand({ TableName: 'lgo', Item: ITEM }))
    await expect(refused).rejects.toMatchObject({ code: 'table.missing', details: { table: 'lgo' } })
    db.destroy()
    await local.close()
  })
})

describe('options that fit their table', () => {
  it('are compared once, by the process that makes the card', async () => {
    const local = createLocal({ throttle: false })
    const client = await warmedUp(local.client())
    await client.send(createTable('log', ['pk', 'sk:N']))
    await client.send(createTable('log_shard_map', ['pk']))
    const described: string[] = []
    client.middlewareStack.add(
      (next, { commandName = '' }) =>
        (args) => {
          if (commandName === 'DescribeTableCommand') described.push(commandName)
          return next(args)
        },
      { step: 'initialize', name: 'described' },
    )
    for (let process = 0; process < 3; process++) await puts(client)
    expect(described).toHaveLength(1)
    await local.close()
  })

  it('are believed where the table may not be described', async () => {
    const local = createLocal({ throttle: false })
    const client = await warmedUp(local.client())
    await client.send(createTable('log', ['pk', 'sk:N']))
    await client.send(createTable('log_shard_map', ['pk']))
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName !== 'DescribeTableCommand') return next(args)
          throw Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' })
        },
      { step: 'initialize', name: 'denied' },
    )
    await puts(client)
    expect(await scanned(client, 'log')).toHaveLength(1)
    await local.close()
  })
})

async function puts(client: DynamoDBClient): Promise<void> {
  const db = isotherm(client, { tables: { log: OPTIONS } })
  await db.send(new PutItemCommand({ TableName: 'log', Item: ITEM }))
  db.destroy()
}
