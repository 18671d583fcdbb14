import { DescribeTableCommand, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { ensureShardMap } from 'isotherm'
import { expect } from 'vitest'
import type { Laboratory } from '../laboratory/laboratory.js'
import type { Guarantees } from './guarantee.js'

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

async function entry(lab: Laboratory, key: string) {
  const { Item } = await lab.client.send(
    new GetItemCommand({
      TableName: lab.shardMap('log'),
      Key: { file_path: { S: key } },
      ConsistentRead: true,
    }),
  )
  return Item
}

export const shardMap: Guarantees = {
  subject: 'The shard map',
  file: 'shard-map.ts',
  all: [
    {
      sentence:
        "It is created on demand, with only the table's partition key. Creating it again does nothing.",
      async holds(lab) {
        expect(await ensureShardMap(lab.client, { table: lab.names.sharded.log })).toBe(lab.shardMap('log'))
        const { Table } = await lab.client.send(new DescribeTableCommand({ TableName: lab.shardMap('log') }))
        expect(Table?.KeySchema).toEqual([{ AttributeName: 'file_path', KeyType: 'HASH' }])
        expect(Table?.AttributeDefinitions).toEqual([{ AttributeName: 'file_path', AttributeType: 'S' }])
        expect(Table?.BillingModeSummary?.BillingMode).toBe('PAY_PER_REQUEST')
      },
    },
    {
      sentence:
        'A key whose count has never changed has no item, however many processes write and read it. With the first change it is added once, with the initial shard count in its history.',
      async holds(lab) {
        const key = lab.key()
        const TableName = lab.names.sharded.log
        await Promise.all(
          range(0, 6).map((at) =>
            lab.process().send(new PutCommand({ TableName, Item: { file_path: key, at } })),
          ),
        )
        expect(await lab.query(lab.process(), 'log', key)).toHaveLength(6)
        expect(await entry(lab, key)).toBeUndefined()
        await Promise.all(range(0, 3).map(() => lab.process().shards(TableName, key).set(9)))
        const item = await entry(lab, key)
        expect(item).toMatchObject({
          file_path: { S: key },
          number_of_shards: { N: '9' },
          last_updated: { N: expect.stringMatching(/^\d{10}$/) },
        })
        expect(item?.shard_history?.SS?.map((each) => each.split(':')[1])).toEqual(['4', '9'])
      },
    },
    {
      sentence:
        'A reader written according to the article works on it: the highest shard count in its history finds every item.',
      async holds(lab) {
        const key = lab.key()
        const process = lab.process()
        const append = (from: number, to: number) =>
          Promise.all(
            range(from, to).map((at) =>
              process.send(
                new PutCommand({ TableName: lab.names.sharded.log, Item: { file_path: key, at } }),
              ),
            ),
          )
        await append(0, 20)
        await process.shards(lab.names.sharded.log, key).set(7)
        await append(20, 60)
        const item = await entry(lab, key)
        expect(item?.number_of_shards).toEqual({ N: '7' })
        const most = Math.max(...(item?.shard_history?.SS ?? []).map((each) => Number(each.split(':')[1])))
        const found: number[] = []
        for (const shard of range(1, most + 1)) {
          const { Items = [] } = await lab.client.send(
            new QueryCommand({
              TableName: lab.names.sharded.log,
              KeyConditionExpression: 'file_path = :shard',
              ExpressionAttributeValues: { ':shard': { S: `${key}_${shard}` } },
              ConsistentRead: true,
            }),
          )
          found.push(...Items.map(({ at }) => Number(at?.N)))
        }
        expect(found.sort((a, b) => a - b)).toEqual(range(0, 60))
      },
    },
    {
      sentence:
        'Concurrent changes of a shard count do not overwrite each other: every change is in the history.',
      async holds(lab) {
        const key = lab.key()
        const counts = [5, 6, 7, 8]
        const answers = await Promise.allSettled(
          counts.map((count) => lab.process().shards(lab.names.sharded.log, key).set(count)),
        )
        const done = answers.flatMap((answer, index) =>
          answer.status === 'fulfilled' ? [counts[index]] : [],
        )
        expect(done.length).toBeGreaterThan(0)
        const item = await entry(lab, key)
        const history = (item?.shard_history?.SS ?? []).map((each) => each.split(':').map(Number))
        expect(history.map(([, count]) => count).sort()).toEqual([4, ...done].sort())
        expect(new Set(history.map(([time]) => time)).size).toBe(history.length)
      },
    },
  ],
}
