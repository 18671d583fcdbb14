import {
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  paginateQuery,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { expect, vi } from 'vitest'
import { throughChange } from '../laboratory/changing.js'
import type { Item, Laboratory } from '../laboratory/laboratory.js'
import type { Guarantees } from './guarantee.js'

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const text = (index: number) => String(index).padStart(3, '0')

/** An index reflects its table after a moment. */
const SOON = { timeout: 20_000, interval: 50 }

interface IndexQuery {
  readonly shape: 'orders' | 'files'
  readonly IndexName: string
  readonly attribute: string
  readonly value: string
}

/** All pages of a query of an index, with a few items each. */
async function ask(
  lab: Laboratory,
  plain: boolean,
  { shape, IndexName, attribute, value }: IndexQuery,
  ScanIndexForward = true,
): Promise<Item[]> {
  const items: Item[] = []
  const pages = paginateQuery(
    { client: plain ? lab.documents : lab.process(), pageSize: 4 },
    {
      TableName: lab.names[plain ? 'plain' : 'sharded'][shape],
      IndexName,
      KeyConditionExpression: '#key = :value',
      ExpressionAttributeNames: { '#key': attribute },
      ExpressionAttributeValues: { ':value': value },
      ScanIndexForward,
    },
  )
  for await (const { Items = [] } of pages) items.push(...Items)
  return items
}

/** Writes that change the indexed attributes of one of the twins in every possible way. */
async function changeFiles(
  lab: Laboratory,
  folder: string,
  file_state: string,
  plain: boolean,
): Promise<void> {
  const client = plain ? lab.documents : lab.process()
  const TableName = lab.names[plain ? 'plain' : 'sharded'].files
  const item = (id: number, state = file_state) => ({
    folder,
    file: text(id),
    file_state: state,
    // In threes, so that many have equal sort keys in the index.
    registered_at: Math.floor(id / 3),
  })
  const Key = (id: number) => ({ folder, file: text(id) })
  for (const id of range(0, 10)) await client.send(new PutCommand({ TableName, Item: item(id) }))
  const RequestItems = {
    [TableName]: range(10, 30).map((id) => ({ PutRequest: { Item: item(id, 'other') } })),
  }
  await client.send(new BatchWriteCommand({ RequestItems }))
  for (const id of range(8, 20)) {
    await client.send(
      new UpdateCommand({
        TableName,
        Key: Key(id),
        UpdateExpression: 'SET file_state = :state',
        ExpressionAttributeValues: { ':state': file_state },
      }),
    )
  }
  await client.send(new UpdateCommand({ TableName, Key: Key(3), UpdateExpression: 'REMOVE file_state' }))
  await client.send(new PutCommand({ TableName, Item: item(4, 'other') }))
  await client.send(new DeleteCommand({ TableName, Key: Key(5) }))
}

export const indexes: Guarantees = {
  subject: 'Indexes',
  file: 'indexes.ts',
  all: [
    {
      sentence:
        'A sharded index returns the same items as a plain one, in the same order, in contiguous pages, after puts, updates, batches and deletes.',
      async holds(lab) {
        const folder = lab.key()
        const file_state = `state of ${folder}`
        for (const plain of [false, true]) await changeFiles(lab, folder, file_state, plain)
        const query = {
          shape: 'files',
          IndexName: 'by_state',
          attribute: 'file_state',
          value: file_state,
        } as const
        const expected = ['000', '001', '002', ...range(6, 20).map(text)]
        await vi.waitFor(async () => {
          for (const isForward of [true, false]) {
            const [sharded, plain] = [
              await ask(lab, false, query, isForward),
              await ask(lab, true, query, isForward),
            ]
            expect(sharded.map(({ registered_at }) => registered_at)).toEqual(
              plain.map(({ registered_at }) => registered_at),
            )
            expect(sharded.map(({ file }) => file).sort()).toEqual(expected)
            expect(plain.map(({ file }) => file).sort()).toEqual(expected)
          }
        }, SOON)
      },
    },
    {
      sentence: 'The attribute that shards an index is kept correct in transactions, and never returned.',
      needs: ['transactions'],
      async holds(lab) {
        const folder = lab.key()
        const file_state = `state of ${folder}`
        const TableName = lab.names.sharded.files
        const Put = (id: number) => ({
          Put: { TableName, Item: { folder, file: text(id), file_state, registered_at: id } },
        })
        await lab.process().send(new TransactWriteCommand({ TransactItems: range(0, 12).map(Put) }))
        const query = {
          shape: 'files',
          IndexName: 'by_state',
          attribute: 'file_state',
          value: file_state,
        } as const
        const items = range(0, 12).map((id) => ({ folder, file: text(id), file_state, registered_at: id }))
        await vi.waitFor(async () => expect(await ask(lab, false, query)).toEqual(items), SOON)
        const { Item } = await lab.process().send(new GetCommand({ TableName, Key: { folder, file: '000' } }))
        expect(Item).toEqual(items[0])
        // Read without the library, the index has more than one key.
        const stored = await Promise.all(
          items.map(({ file }) => lab.documents.send(new GetCommand({ TableName, Key: { folder, file } }))),
        )
        expect(new Set(stored.map((each) => each.Item?.isotherm_by_state)).size).toBeGreaterThan(1)
      },
    },
    {
      sentence:
        'An unsharded index of a sharded table returns logical keys, and each item once while items are moved.',
      needs: ['transactions'],
      async holds(lab) {
        const customer = lab.key()
        const note = `note of ${customer}`
        const query = { shape: 'orders', IndexName: 'by_note', attribute: 'note', value: note } as const
        const items = range(0, 15).map((id) => ({ customer, order_id: text(id), note, amount: id }))
        await throughChange(lab, { key: customer, from: 3, to: 8 }, async (phase) => {
          const Items = phase === 'before' ? items : []
          for (const Item of Items) {
            await lab.process().send(new PutCommand({ TableName: lab.names.sharded.orders, Item }))
          }
          await vi.waitFor(async () => expect(await ask(lab, false, query)).toEqual(items), SOON)
        })
      },
    },
    {
      sentence: 'A local index is queried in every shard of the key, and returns items in its own order.',
      needs: ['local indexes'],
      async holds(lab) {
        const customer = lab.key()
        for (const plain of [false, true]) {
          const client = plain ? lab.documents : lab.process()
          const TableName = lab.names[plain ? 'plain' : 'sharded'].orders
          for (const id of range(0, 25)) {
            const Item = { customer, order_id: text(id), ...(id % 4 === 0 ? {} : { amount: (id * 7) % 10 }) }
            await client.send(new PutCommand({ TableName, Item }))
          }
        }
        const query = {
          shape: 'orders',
          IndexName: 'by_amount',
          attribute: 'customer',
          value: customer,
        } as const
        for (const isForward of [true, false]) {
          const [sharded, plain] = [
            await ask(lab, false, query, isForward),
            await ask(lab, true, query, isForward),
          ]
          expect(sharded.map(({ amount }) => amount)).toEqual(plain.map(({ amount }) => amount))
          const ids = (items: Item[]) => items.map(({ order_id }) => order_id).sort()
          expect(ids(sharded)).toEqual(ids(plain))
          expect(sharded).toHaveLength(18)
        }
      },
    },
  ],
}
