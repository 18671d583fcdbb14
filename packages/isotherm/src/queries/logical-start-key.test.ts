import {
  type DynamoDBClient,
  DynamoDBServiceException,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { shardedEngine } from '../../test/sharded-engine.js'
import { IsothermError } from '../errors/isotherm-error.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'

const ITEMS = 40

const query = (TableName: string, more: Partial<QueryCommandInput> = {}) =>
  new QueryCommand({
    TableName,
    KeyConditionExpression: 'pk = :k',
    ExpressionAttributeValues: { ':k': { S: 'k' } },
    Limit: 7,
    ...more,
  })

const numbersOf = ({ Items = [] }: { Items?: readonly Record<string, { N?: string }>[] | undefined }) =>
  Items.map(({ sk }) => Number(sk?.N))

describe.each([
  ['a random suffix', { suffix: 'random', shards: fixedShards(4) }],
  ['a calculated suffix', { suffix: 'calculated', shards: fixedShards(4) }],
  ['a count that changes', { suffix: 'calculated', shards: dynamicShards({ initial: 4 }) }],
] as const)('a start key with the logical key, with %s,', (_name, options) => {
  it.each([true, false])(
    'continues after its sort key as in any other table, forward: %s',
    async (forward) => {
      const { clock, client, process, setState, close } = await shardedEngine(options)
      await clock.run(async () => {
        const db = process()
        for (let number = 0; number < ITEMS; number++) {
          const Item = { pk: { S: 'k' }, sk: { N: String(number) } }
          await db.send(new PutItemCommand({ TableName: 'log', Item }))
          await client.send(new PutItemCommand({ TableName: 'plain', Item }))
        }
        if (options.shards.kind === 'dynamic') {
          await setState({
            shards: 7,
            lastUpdated: 2,
            history: ['1:4', '2:7'],
            phase: 'moved',
            from: 4,
            to: 7,
          })
          await clock.sleep(60_000)
        }
        const pageAfter = (to: DynamoDBClient, table: string, sort: string) =>
          to.send(
            query(table, {
              ScanIndexForward: forward,
              ExclusiveStartKey: { pk: { S: 'k' }, sk: { N: sort } },
            }),
          )
        // Between two items, at items, before all of them, and behind all of them.
        for (const sort of ['12.5', '0', '20', '39', '-7', '100']) {
          const expected = numbersOf(await pageAfter(client, 'plain', sort))
          const page = await pageAfter(process(), 'log', sort)
          expect(numbersOf(page)).toEqual(expected)
          const { LastEvaluatedKey: ExclusiveStartKey } = page
          if (ExclusiveStartKey === undefined) continue
          const next = await db.send(query('log', { ScanIndexForward: forward, ExclusiveStartKey }))
          const last = String(expected.at(-1))
          expect(numbersOf(next)).toEqual(numbersOf(await pageAfter(client, 'plain', last)))
        }
      })
      await close()
    },
  )
})

describe('a start key with the logical key in an index', () => {
  it.each([
    ["the table's partition key", 'by_rank', 'pk = :v', 'k'],
    ['a partition key of its own', 'by_group', 'kind = :v', 'g'],
  ])(
    'with %s continues among equal sort keys, with a calculated suffix',
    async (_with, IndexName, condition, value) => {
      const global = { by_rank: ['pk', 'rank:N'], by_group: ['kind', 'rank:N'] } as const
      const indexes = { by_rank: { sortKey: 'rank' } }
      const options = { suffix: 'calculated', shards: dynamicShards({ initial: 4 }), indexes } as const
      const { clock, process, close } = await shardedEngine(options, { global })
      await clock.run(async () => {
        const db = process()
        for (let number = 0; number < ITEMS; number++) {
          const keys = { pk: { S: 'k' }, sk: { N: String(number) } }
          const Item = { ...keys, kind: { S: 'g' }, rank: { N: String(number % 3) } }
          await db.send(new PutItemCommand({ TableName: 'log', Item }))
        }
        for (const ScanIndexForward of [true, false]) {
          const read: number[] = []
          const ranks: number[] = []
          let start: Pick<QueryCommandInput, 'ExclusiveStartKey'> = {}
          for (;;) {
            const { Items = [] } = await process().send(
              new QueryCommand({
                TableName: 'log',
                IndexName,
                KeyConditionExpression: condition,
                ExpressionAttributeValues: { ':v': { S: value } },
                Limit: 7,
                ScanIndexForward,
                ...start,
              }),
            )
            const last = Items.at(-1)
            if (last === undefined) break
            read.push(...numbersOf({ Items }))
            ranks.push(...Items.map(({ rank }) => Number(rank?.N)))
            const { pk, sk, rank, kind } = last
            const own = IndexName === 'by_group' ? { kind } : {}
            start = {
              ExclusiveStartKey: { pk, sk, rank, ...own } as NonNullable<
                QueryCommandInput['ExclusiveStartKey']
              >,
            }
          }
          expect(read.toSorted((a, b) => a - b)).toEqual(Array.from({ length: ITEMS }, (_, number) => number))
          const direction = ScanIndexForward ? 1 : -1
          expect(ranks).toEqual(ranks.toSorted((a, b) => direction * (a - b)))
        }
      })
      await close()
    },
  )
})

describe('a request that DynamoDB would reject', () => {
  it.each([
    ['without a key', 'key.missing', new GetItemCommand({ TableName: 'log', Key: { sk: { N: '1' } } })],
    ['without a sort key', 'key.missing', new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' } } })],
    [
      'with a number for a text',
      'key.type',
      new PutItemCommand({ TableName: 'log', Item: { pk: { N: '1' }, sk: { N: '1' } } }),
    ],
    [
      'with the start key of another query',
      'cursor.invalid',
      query('log', { ExclusiveStartKey: { pk: { S: 'other_1' }, sk: { N: '1' } } }),
    ],
  ])('%s is rejected with its exception and the code %s', async (_how, code, command) => {
    const { clock, process, close } = await shardedEngine({ suffix: 'calculated', shards: fixedShards(2) })
    await clock.run(async () => {
      const error: unknown = await process()
        .send(command as QueryCommand)
        .catch((failure: unknown) => failure)
      expect(error).toBeInstanceOf(DynamoDBServiceException)
      expect(error).toBeInstanceOf(IsothermError)
      expect(error).toMatchObject({
        name: 'ValidationException',
        $fault: 'client',
        $metadata: { httpStatusCode: 400 },
        code,
        help: `isotherm/ERRORS.md#${code.replace('.', '')}`,
        cause: { name: 'IsothermError' },
      })
    })
    await close()
  })
})
