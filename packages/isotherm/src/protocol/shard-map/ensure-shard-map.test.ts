import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  type TableStatus,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal, type Local } from '@isotherm/local'
import { VirtualClock } from '@isotherm/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EnsureShardMapOptions, ensureShardMap } from './ensure-shard-map.js'

let local: Local
let client: DynamoDBClient
let clock: VirtualClock

beforeEach(() => {
  local = createLocal({ throttle: false })
  client = local.client()
  clock = new VirtualClock()
})
afterEach(() => local.close())

const ensure = (options: Partial<EnsureShardMapOptions> = {}) =>
  ensureShardMap(client, { table: 'log', clock, ...options })

async function described(name: string, of = client) {
  const { Table } = await of.send(new DescribeTableCommand({ TableName: name }))
  return Table
}

/** Lets the service show the shard map with these states, one after the other, and the last one from then on. */
function showing(...statuses: TableStatus[]): { readonly shown: () => number } {
  let shown = 0
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args)
      const { Table } = result.output as {
        readonly Table?: { TableName?: string; TableStatus?: TableStatus }
      }
      if (Table?.TableName === 'log_shard_map') {
        Object.assign(Table, { TableStatus: statuses[Math.min(shown, statuses.length - 1)] })
        shown += 1
      }
      return result
    },
    { step: 'initialize', name: 'status' },
  )
  return { shown: () => shown }
}

/** Lets the service refuse some requests. */
function refusing(
  name: string,
  isRefused: (request: {
    readonly commandName?: string | undefined
    readonly table?: string | undefined
  }) => boolean,
): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        const { TableName: table } = args.input as { readonly TableName?: string | undefined }
        if (!isRefused({ commandName, table })) return next(args)
        throw Object.assign(new Error(name), { name })
      },
    { step: 'initialize', name: 'refused' },
  )
}

describe('the shard map of a table', () => {
  it.each([
    ['text', 'pk', 'S'],
    ['bytes', 'pk:B', 'B'],
    // The counts of indexes have texts for keys.
    ['a number', 'pk:N', 'S'],
  ])('has the partition key of the table, alone and on demand, if that is %s', async (_what, key, type) => {
    await client.send(createTable('log', [key, 'sk:N']))
    expect(await ensure()).toBe('log_shard_map')
    expect(await described('log_shard_map')).toMatchObject({
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: type }],
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
    })
    expect(await ensure()).toBe('log_shard_map')
  })

  it('has the name, and is made by the client, that the options say', async () => {
    await client.send(createTable('log', ['pk', 'sk:N']))
    const elsewhere = createLocal({ throttle: false })
    expect(await ensure({ shardMap: 'counts', shardMapClient: elsewhere.client() })).toBe('counts')
    expect(await described('counts', elsewhere.client())).toBeDefined()
    await expect(described('counts')).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
    await elsewhere.close()
  })

  it.each([
    ['another name', ['id'], 'id (S)'],
    ['another type', ['pk:B'], 'pk (B)'],
    ['the type of a number', ['pk:N'], 'pk (N)'],
    ['a sort key', ['pk', 'sk'], 'pk (S) and a sort key'],
  ] as const)('is refused if its key has %s', async (_what, key, found) => {
    await client.send(createTable('log', ['pk', 'sk:N']))
    await client.send(createTable('log_shard_map', key as readonly [string, string?]))
    await expect(ensure()).rejects.toMatchObject({
      code: 'shard-map.schema',
      details: { shardMap: 'log_shard_map', found, expected: 'pk (S) alone' },
    })
  })

  it('is of no table that does not exist', async () => {
    await expect(ensure()).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
    await expect(described('log_shard_map')).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  })

  it.each([
    ['options.unknown', { shardmap: 'counts' }, 'ensureShardMap.shardmap'],
    ['options.invalid', { table: '' }, 'ensureShardMap.table'],
  ])('is not made with options that are wrong: %s', async (code, options, option) => {
    await client.send(createTable('log', ['pk', 'sk:N']))
    await expect(ensure(options as object)).rejects.toMatchObject({ code, details: { option } })
  })

  it('has the type of the partition key, in whichever order the attributes of the table are defined', async () => {
    await client.send(
      new CreateTableCommand({
        TableName: 'log',
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'at', KeyType: 'RANGE' },
        ],
        AttributeDefinitions: [
          { AttributeName: 'at', AttributeType: 'S' },
          { AttributeName: 'pk', AttributeType: 'B' },
        ],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    )
    await ensure()
    expect(await described('log_shard_map')).toMatchObject({
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'B' }],
    })
  })

  it('may be made by two processes at the same time', async () => {
    await client.send(createTable('log', ['pk', 'sk:N']))
    expect(await Promise.all([ensure(), ensure()])).toEqual(['log_shard_map', 'log_shard_map'])
  })

  it('is not made without the right to make it, which is not needed once it is there', async () => {
    await client.send(createTable('log', ['pk', 'sk:N']))
    const deny = () =>
      refusing('AccessDeniedException', ({ commandName }) => commandName === 'CreateTableCommand')
    deny()
    await expect(ensure()).rejects.toThrow('AccessDeniedException')
    client.middlewareStack.remove('refused')
    await ensure()
    deny()
    expect(await ensure()).toBe('log_shard_map')
  })

  it('is not made without the right to look at it', async () => {
    await client.send(createTable('log', ['pk', 'sk:N']))
    refusing('AccessDeniedException', ({ commandName, table }) => {
      return commandName === 'DescribeTableCommand' && table === 'log_shard_map'
    })
    await expect(ensure()).rejects.toThrow('AccessDeniedException')
    client.middlewareStack.remove('refused')
    await expect(described('log_shard_map')).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  })
})

describe('a shard map that is not active yet', () => {
  beforeEach(async () => {
    await client.send(createTable('log', ['pk', 'sk:N']))
    await ensure()
  })

  it.each(['ACTIVE', 'UPDATING'] as const)('is waited for until it is %s', async (status) => {
    const { shown } = showing('CREATING', 'CREATING', 'CREATING', status)
    await clock.run(async () => {
      const from = clock.now()
      await ensure()
      expect(clock.now() - from).toBe(1_000)
    })
    expect(shown()).toBe(4)
  })

  it('is waited for no longer than two minutes', async () => {
    showing('CREATING')
    await clock.run(async () => {
      const from = clock.now()
      await expect(ensure()).rejects.toMatchObject({
        code: 'shard-map.not-active',
        message: expect.stringContaining('is still CREATING after 120 seconds'),
        details: { shardMap: 'log_shard_map', status: 'CREATING' },
      })
      expect(clock.now() - from).toBe(120_000)
    })
  })

  it('has an unknown state where the service never shows it', async () => {
    refusing('ResourceNotFoundException', ({ commandName, table }) => {
      return commandName === 'DescribeTableCommand' && table === 'log_shard_map'
    })
    await clock.run(() =>
      expect(ensure()).rejects.toMatchObject({
        code: 'shard-map.not-active',
        details: { shardMap: 'log_shard_map', status: 'UNKNOWN' },
      }),
    )
  })
})
