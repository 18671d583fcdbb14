import {
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  BatchWriteItemCommand,
  DescribeTableCommand,
  GetItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { fixedShards } from '../scaling/shards.js'

const TABLES = ['log', 'constructor', 'toString']
const KEYS = [1, 2, 3].map((number) => ({ pk: { S: 'k' }, sk: { N: String(number) } }))

async function within(work: (engine: ShardedEngine) => Promise<void>): Promise<void> {
  const engine = await shardedEngine({ suffix: 'random', shards: fixedShards(3), maxAttempts: 2 })
  await engine.clock.run(async () => {
    for (const name of TABLES.slice(1)) await engine.client.send(createTable(name, ['pk', 'sk:N']))
    await work(engine)
  })
  await engine.close()
}

const forEach = <Part>(part: Part) => Object.fromEntries(TABLES.map((name) => [name, part]))
const puts = KEYS.map((Item) => ({ PutRequest: { Item } }))
const write = () => new BatchWriteItemCommand({ RequestItems: forEach(puts) })
const read = () => new BatchGetItemCommand({ RequestItems: forEach({ Keys: KEYS }) })

describe('batches with tables whose names every object has as properties', () => {
  it('write and read all of them', () =>
    within(async ({ process }) => {
      const db = process()
      expect((await db.send(write())).UnprocessedItems).toEqual({})
      const { Responses = {}, UnprocessedKeys } = await db.send(read())
      expect(UnprocessedKeys).toEqual({})
      expect(Object.keys(Responses).sort()).toEqual(TABLES.toSorted())
      for (const items of Object.values(Responses)) {
        expect(items).toHaveLength(KEYS.length)
        expect(items).toEqual(expect.arrayContaining(KEYS))
      }
    }))

  it('return what was left out of them', () =>
    within(async ({ client, process }) => {
      leaveOutUnsharded(client)
      const db = process()
      const { UnprocessedItems } = await db.send(write())
      expect(UnprocessedItems).toEqual({ constructor: puts, toString: puts })
      const { UnprocessedKeys } = await db.send(read())
      expect(UnprocessedKeys).toEqual({ constructor: { Keys: KEYS }, toString: { Keys: KEYS } })
    }))
})

describe('a batch with tables that it names both by name and by ARN', () => {
  it('returns to each name its own items', () =>
    within(async ({ client, process }) => {
      const db = process()
      await db.send(write())
      const [first, others] = [KEYS.slice(0, 1), KEYS.slice(1)]
      const arns = await Promise.all(
        ['log', 'toString'].map(async (TableName) => {
          const { Table } = await client.send(new DescribeTableCommand({ TableName }))
          return Table?.TableArn ?? expect.fail('A table has an ARN.')
        }),
      )
      const RequestItems = {
        ...Object.fromEntries(['log', 'toString'].map((name) => [name, { Keys: first }])),
        ...Object.fromEntries(arns.map((arn) => [arn, { Keys: others, ConsistentRead: true }])),
      }
      const { Responses = {} } = await db.send(new BatchGetItemCommand({ RequestItems }))
      expect(Responses).toEqual({
        log: first,
        toString: first,
        ...Object.fromEntries(arns.map((arn) => [arn, expect.arrayContaining(others)])),
      })
    }))
})

it('An item that a request seeks in several shards by the ARN of the table is found, if the service answers with the name.', () =>
  within(async ({ client, process }) => {
    const db = process()
    await db.send(write())
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'log' }))
    client.middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          const answer = await next(args)
          if (commandName !== 'BatchGetItemCommand') return answer
          const output = answer.output as BatchGetItemCommandOutput
          output.Responses = { log: Object.values(output.Responses ?? {}).flat() }
          return answer
        },
      { step: 'initialize', priority: 'low' },
    )
    for (const Key of KEYS) {
      const { Item } = await db.send(new GetItemCommand({ TableName: Table?.TableArn, Key }))
      expect(Item).toEqual(Key)
    }
  }))

/** Leaves all members of the unsharded tables unprocessed. */
function leaveOutUnsharded({ middlewareStack }: ShardedEngine['client']): void {
  middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!commandName.startsWith('Batch')) return next(args)
        const parts = Object.entries((args.input as { RequestItems: object }).RequestItems)
        const sharded = parts.filter(([name]) => name === 'log')
        const left = Object.fromEntries(parts.filter(([name]) => name !== 'log'))
        const unprocessed = { UnprocessedItems: left, UnprocessedKeys: left }
        if (sharded.length === 0) return { output: { $metadata: {}, ...unprocessed }, response: {} } as never
        const result = await next({ ...args, input: { RequestItems: Object.fromEntries(sharded) } as never })
        return { ...result, output: { ...result.output, ...unprocessed } }
      },
    { step: 'initialize', priority: 'high', name: 'leaveOutUnsharded' },
  )
}
