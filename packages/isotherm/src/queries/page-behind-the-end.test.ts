import {
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { fixedShards } from '../scaling/shards.js'

const SHARDS = 4
const SUFFIXES = ['random', 'calculated'] as const

async function withItems(
  suffix: (typeof SUFFIXES)[number],
  run: (engine: ShardedEngine) => Promise<void>,
): Promise<void> {
  const engine = await shardedEngine({ suffix, shards: fixedShards(SHARDS) })
  await engine.clock.run(async () => {
    const db = engine.process()
    for (let number = 0; number < 8; number++) {
      const Item = { pk: { S: 'k' }, sk: { N: String(number) } }
      await db.send(new PutItemCommand({ TableName: 'log', Item }))
      await engine.client.send(new PutItemCommand({ TableName: 'plain', Item }))
    }
    await run(engine)
  })
  await engine.close()
}

/** The items with sort keys 2 to 6. */
const range = (TableName: string, more: Partial<QueryCommandInput>): QueryCommandInput => ({
  TableName,
  KeyConditionExpression: 'pk = :k AND sk BETWEEN :a AND :b',
  ExpressionAttributeValues: { ':k': { S: 'k' }, ':a': { N: '2' }, ':b': { N: '6' } },
  ReturnConsumedCapacity: 'TOTAL',
  ...more,
})

/** The page after the range, from a cursor in the last shard. */
async function pageBehind(db: DynamoDBClient, input: QueryCommandInput) {
  const pk = input.TableName === 'log' ? { S: `k_${SHARDS}` } : { S: 'k' }
  const ExclusiveStartKey = { pk, sk: { N: input.ScanIndexForward ? '6' : '2' } }
  const { $metadata, ...page } = await db.send(new QueryCommand({ ...input, ExclusiveStartKey }))
  const capacity = { ...page.ConsumedCapacity, TableName: undefined }
  return { ...page, ConsumedCapacity: capacity, status: $metadata.httpStatusCode }
}

describe.each(SUFFIXES)('on a table with a %s suffix', (suffix) => {
  it.each([true, false])(
    'the page after the end of a range is as on any other table, forward: %s',
    async (ScanIndexForward) => {
      await withItems(suffix, async ({ client, process }) => {
        const expected = await pageBehind(client, range('plain', { ScanIndexForward }))
        expect(expected).toMatchObject({ Count: 0, ConsumedCapacity: { CapacityUnits: 0.5 } })
        expect(await pageBehind(process(), range('log', { ScanIndexForward }))).toEqual(expected)
      })
    },
  )

  it('a query with an invalid ReturnConsumedCapacity is rejected as on any other table', async () => {
    await withItems(suffix, async ({ client, process }) => {
      const refused = async (db: DynamoDBClient, table: string) =>
        db.send(new QueryCommand(range(table, { ReturnConsumedCapacity: 'MOST' as never }))).then(
          () => 'It was not refused.',
          ({ name, message }: Error) => ({ name, message }),
        )
      const expected = await refused(client, 'plain')
      expect(expected).toMatchObject({ name: 'ValidationException' })
      expect(await refused(process(), 'log')).toEqual(expected)
    })
  })
})
