import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { expect } from 'vitest'
import type { Laboratory, Process } from '../laboratory/laboratory.js'
import type { Guarantees } from './guarantee.js'

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

async function append(lab: Laboratory, process: Process, file_path: string, times: readonly number[]) {
  const put = (at: number) => new PutCommand({ TableName: lab.names.sharded.log, Item: { file_path, at } })
  await Promise.all(times.map((at) => process.send(put(at))))
}

async function times(lab: Laboratory, key: string): Promise<unknown[]> {
  return (await lab.query(lab.process(), 'log', key)).map(({ at }) => at)
}

export const appends: Guarantees = {
  subject: 'Appends with a random suffix',
  file: 'appends.ts',
  all: [
    {
      sentence: 'Every append of every process is read exactly once, and appends are spread over the shards.',
      async holds(lab) {
        const key = lab.key()
        const processes = [lab.process(), lab.process(), lab.process()]
        await Promise.all(
          processes.map((process, index) => append(lab, process, key, range(index * 40, index * 40 + 40))),
        )
        expect(await times(lab, key)).toEqual(range(0, 120))
        const shards = new Set((await lab.stored('log', key)).map(({ physical }) => physical))
        expect([...shards].sort()).toEqual([1, 2, 3, 4].map((shard) => `${key}_${shard}`))
      },
    },
    {
      sentence: 'While the shard count grows, a consistent query misses no item of any process.',
      async holds(lab) {
        const key = lab.key()
        const stale = lab.process()
        await append(lab, stale, key, range(0, 20))
        const reader = lab.process()
        expect(await lab.query(reader, 'log', key)).toHaveLength(20)
        await lab.process().shards(lab.names.sharded.log, key).set(9)
        const fresh = lab.process()
        await append(lab, fresh, key, range(20, 60))
        await append(lab, stale, key, range(60, 70))
        expect((await lab.query(reader, 'log', key)).map(({ at }) => at)).toEqual(range(0, 70))
        const shards = new Set((await lab.stored('log', key)).map(({ physical }) => physical))
        expect(shards.size).toBeGreaterThan(4)
      },
    },
    {
      sentence:
        'When the shard count falls, no item is missed, before or after the retired shards are drained.',
      async holds(lab) {
        const key = lab.key()
        const stale = lab.process()
        await append(lab, stale, key, range(0, 30))
        const owner = lab.process()
        const shards = owner.shards(lab.names.sharded.log, key)
        await shards.set(1)
        // A process with an outdated shard count writes to retired shards.
        await append(lab, stale, key, range(30, 60))
        expect(await times(lab, key)).toEqual(range(0, 60))
        expect(await shards.drain({ unitsPerSecond: 10_000 })).toBe('settled')
        expect(await times(lab, key)).toEqual(range(0, 60))
        const left = new Set((await lab.stored('log', key)).map(({ physical }) => physical))
        expect([...left]).toEqual([`${key}_1`])
        expect(await shards.read()).toMatchObject({ shards: 1, readableShards: 1, phase: 'settled' })
      },
    },
    {
      sentence: 'An append is found by its key in any shard, for reads, conditional updates and deletes.',
      async holds(lab) {
        const key = lab.key()
        const process = lab.process()
        const TableName = lab.names.sharded.log
        await append(lab, process, key, range(0, 12))
        for (const at of range(0, 12)) {
          const Key = { file_path: key, at }
          expect((await process.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item).toEqual(
            Key,
          )
          const change = new UpdateCommand({
            TableName,
            Key,
            UpdateExpression: 'SET seen = :true',
            ConditionExpression: 'attribute_exists(file_path) AND attribute_not_exists(seen)',
            ExpressionAttributeValues: { ':true': true },
            ReturnValues: 'ALL_NEW',
          })
          expect((await process.send(change)).Attributes).toEqual({ ...Key, seen: true })
          await expect(process.send(change)).rejects.toMatchObject({
            name: 'ConditionalCheckFailedException',
          })
          const removal = new DeleteCommand({ TableName, Key, ReturnValues: 'ALL_OLD' })
          expect((await process.send(removal)).Attributes).toEqual({ ...Key, seen: true })
        }
        expect(await lab.stored('log', key)).toEqual([])
      },
    },
    {
      sentence: 'A put that requires a missing item fails, whatever shard holds the item.',
      async holds(lab) {
        const key = lab.key()
        const process = lab.process()
        await append(lab, process, key, range(0, 12))
        for (const at of range(0, 12)) {
          const create = new PutCommand({
            TableName: lab.names.sharded.log,
            Item: { file_path: key, at, again: true },
            ConditionExpression: 'attribute_not_exists(file_path)',
          })
          await expect(process.send(create)).rejects.toMatchObject({
            name: 'ConditionalCheckFailedException',
          })
        }
        expect(await lab.stored('log', key)).toHaveLength(12)
      },
    },
  ],
}
