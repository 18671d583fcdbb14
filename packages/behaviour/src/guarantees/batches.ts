import { BatchGetCommand, BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { expect } from 'vitest'
import { throughChange } from '../laboratory/changing.js'
import type { Laboratory, Process } from '../laboratory/laboratory.js'
import type { Guarantees } from './guarantee.js'

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const text = (index: number) => String(index).padStart(3, '0')

/** Writes to three tables at once: with random shards, with calculated ones, and without shards. */
async function writeMixed(lab: Laboratory, process: Process, key: string, ids: readonly number[]) {
  const { sharded, plain } = lab.names
  const { UnprocessedItems } = await process.send(
    new BatchWriteCommand({
      RequestItems: {
        [sharded.log]: ids.map((at) => ({ PutRequest: { Item: { file_path: key, at } } })),
        [sharded.orders]: ids.map((id) => ({ PutRequest: { Item: { customer: key, order_id: text(id) } } })),
        [plain.orders]: ids.map((id) => ({ PutRequest: { Item: { customer: key, order_id: text(id) } } })),
      },
    }),
  )
  expect(UnprocessedItems ?? {}).toEqual({})
}

async function readMixed(lab: Laboratory, process: Process, key: string, ids: readonly number[]) {
  const { sharded, plain } = lab.names
  const orders = ids.map((id) => ({ customer: key, order_id: text(id) }))
  const { Responses = {}, UnprocessedKeys } = await process.send(
    new BatchGetCommand({
      RequestItems: {
        [sharded.log]: { Keys: ids.map((at) => ({ file_path: key, at })), ConsistentRead: true },
        [sharded.orders]: { Keys: orders, ConsistentRead: true, ProjectionExpression: 'order_id' },
        [plain.orders]: { Keys: orders, ConsistentRead: true },
      },
    }),
  )
  expect(UnprocessedKeys ?? {}).toEqual({})
  return {
    log: (Responses[sharded.log] ?? []).map((item) => item.at).sort((a, b) => a - b),
    orders: (Responses[sharded.orders] ?? []).map((item) => JSON.stringify(item)).sort(),
    plain: (Responses[plain.orders] ?? []).length,
  }
}

export const batches: Guarantees = {
  subject: 'Batches',
  file: 'batches.ts',
  all: [
    {
      sentence:
        'A batch may mix sharded and unsharded tables. Each item is written to its shard, and read back.',
      async holds(lab) {
        const key = lab.key()
        const process = lab.process()
        await writeMixed(lab, process, key, range(0, 8))
        expect(await readMixed(lab, process, key, range(0, 10))).toEqual({
          log: range(0, 8),
          orders: range(0, 8).map((id) => JSON.stringify({ order_id: text(id) })),
          plain: 8,
        })
        const { sharded } = lab.names
        await process.send(
          new BatchWriteCommand({
            RequestItems: {
              [sharded.log]: range(0, 5).map((at) => ({ DeleteRequest: { Key: { file_path: key, at } } })),
              [sharded.orders]: range(0, 5).map((id) => ({
                DeleteRequest: { Key: { customer: key, order_id: text(id) } },
              })),
            },
          }),
        )
        expect(await readMixed(lab, process, key, range(0, 8))).toMatchObject({
          log: [5, 6, 7],
          orders: [5, 6, 7].map((id) => JSON.stringify({ order_id: text(id) })),
        })
        expect(await lab.stored('orders', key)).toHaveLength(3)
      },
    },
    {
      sentence: 'In every phase of a change, each item of a batch has one copy and is found.',
      needs: ['transactions'],
      async holds(lab) {
        const key = lab.key()
        await throughChange(lab, { key, from: 3, to: 8 }, async () => {
          // The same items repeatedly: at their old place, at their new one, and once they have moved.
          await writeMixed(lab, lab.process(), key, range(0, 8))
          expect(await lab.stored('orders', key)).toHaveLength(8)
          const { orders } = await readMixed(lab, lab.process(), key, range(0, 8))
          expect(orders).toEqual(range(0, 8).map((id) => JSON.stringify({ order_id: text(id) })))
        })
      },
    },
    {
      sentence: "The limits of a batch apply to the application's request, with the service's error texts.",
      needs: ['strict batches'],
      async holds(lab) {
        const key = lab.key()
        const process = lab.process()
        const { orders } = lab.names.sharded
        const put = (id: number) => ({ PutRequest: { Item: { customer: key, order_id: text(id) } } })
        const keyed = (id: number) => ({ customer: key, order_id: text(id) })
        const refused = { name: 'ValidationException' }
        const write = (members: object[]) =>
          process.send(new BatchWriteCommand({ RequestItems: { [orders]: members as never } }))
        const get = (Keys: object[]) =>
          process.send(new BatchGetCommand({ RequestItems: { [orders]: { Keys } } }))
        await expect(write(range(0, 26).map(put))).rejects.toMatchObject(refused)
        await expect(write([put(1), put(1)])).rejects.toMatchObject(refused)
        await expect(get(range(0, 101).map(keyed))).rejects.toMatchObject(refused)
        await expect(get([keyed(1), keyed(1)])).rejects.toMatchObject(refused)
        expect(await lab.stored('orders', key)).toEqual([])
        // A hundred keys of a random suffix are in four hundred possible places.
        const Keys = range(0, 100).map((at) => ({ file_path: key, at }))
        const { Responses } = await process.send(
          new BatchGetCommand({ RequestItems: { [lab.names.sharded.log]: { Keys } } }),
        )
        expect(Responses?.[lab.names.sharded.log] ?? []).toEqual([])
      },
    },
  ],
}
