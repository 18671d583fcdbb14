import {
  type AttributeValue,
  PutItemCommand,
  QueryCommand,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { BatchWriteCommand, QueryCommand as DocumentQueryCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { expect } from 'vitest'
import { throughChange } from '../laboratory/changing.js'
import type { Item, Laboratory } from '../laboratory/laboratory.js'
import { SHAPES, type ShapeName } from '../laboratory/shapes.js'
import type { Guarantees } from './guarantee.js'

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const text = (index: number) => String(index).padStart(3, '0')

/** Sort keys that a naive comparison would order wrongly. */
const TRICKY = {
  log: [
    '-1e20',
    '-7',
    '0',
    '0.1',
    '0.10000000000000000000000000000000000001',
    '2',
    '10',
    '9007199254740993',
    '9007199254740992',
    '12345678901234567890123456789012345678',
    '1e100',
    '-12345678901234567890123456789012345678',
  ].map((N) => ({ N })),
  letters: ['a', 'B', 'b', 'é', 'z', '~', '\uffee', '\u{1f600}', '\u{10ffff}', 'aa', 'a b', '10', '9'].map(
    (S) => ({ S }),
  ),
  blobs: [[0], [0, 0], [1], [127], [128], [255], [255, 0], [1, 255]].map((bytes) => ({
    B: new Uint8Array(bytes),
  })),
} as const satisfies Partial<Record<ShapeName, readonly AttributeValue[]>>

async function fill(lab: Laboratory, shape: keyof typeof TRICKY, key: AttributeValue): Promise<void> {
  const { partitionKey, sortKey } = SHAPES[shape].options
  for (const kind of ['sharded', 'plain'] as const) {
    const client = kind === 'sharded' ? lab.lowLevel() : lab.client
    for (const value of TRICKY[shape]) {
      await client.send(
        new PutItemCommand({
          TableName: lab.names[kind][shape],
          Item: { [partitionKey]: key, [sortKey]: value },
        }),
      )
    }
  }
}

async function inOrder(
  lab: Laboratory,
  shape: keyof typeof TRICKY,
  key: AttributeValue,
  Limit: number,
  isForward: boolean,
) {
  const { partitionKey } = SHAPES[shape].options
  const answers: unknown[][] = []
  for (const kind of ['sharded', 'plain'] as const) {
    const client = kind === 'sharded' ? lab.lowLevel() : lab.client
    const items: unknown[] = []
    let from: Record<string, AttributeValue> | undefined
    do {
      const page: QueryCommandOutput = await client.send(
        new QueryCommand({
          TableName: lab.names[kind][shape],
          KeyConditionExpression: '#key = :key',
          ExpressionAttributeNames: { '#key': partitionKey },
          ExpressionAttributeValues: { ':key': key },
          ConsistentRead: true,
          ScanIndexForward: isForward,
          Limit,
          ExclusiveStartKey: from,
        }),
      )
      items.push(...(page.Items ?? []))
      from = page.LastEvaluatedKey
    } while (from !== undefined)
    answers.push(items)
  }
  return answers
}

async function holdsOrder(lab: Laboratory, shape: keyof typeof TRICKY, key: AttributeValue): Promise<void> {
  await fill(lab, shape, key)
  for (const isForward of [true, false]) {
    for (const limit of [1, 3, 100]) {
      const [sharded, plain] = await inOrder(lab, shape, key, limit, isForward)
      expect(plain).toHaveLength(TRICKY[shape].length)
      expect(sharded).toEqual(plain)
    }
  }
}

async function putOrders(lab: Laboratory, customer: string, ids: readonly number[], plain = false) {
  const client = plain ? lab.documents : lab.process()
  const table = lab.names[plain ? 'plain' : 'sharded'].orders
  for (let start = 0; start < ids.length; start += 25) {
    const requests = ids.slice(start, start + 25).map((id) => ({
      PutRequest: { Item: { customer, order_id: text(id), amount: id, note: `note ${id % 3}` } },
    }))
    await client.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }))
  }
}

export const queries: Guarantees = {
  subject: 'Queries',
  file: 'queries.ts',
  all: [
    {
      sentence:
        'Items are returned in the order of a numeric sort key, exact to 38 digits, in both directions, in pages of any size.',
      holds: (lab) => holdsOrder(lab, 'log', { S: lab.key() }),
    },
    {
      sentence:
        'Items are returned in the order of a text sort key, by its UTF-8 bytes, in both directions, in pages of any size.',
      holds: (lab) => holdsOrder(lab, 'letters', { S: lab.key() }),
    },
    {
      sentence:
        'Items are returned in the order of a binary sort key, by its bytes, in both directions, in pages of any size.',
      holds: (lab) => holdsOrder(lab, 'blobs', { B: new TextEncoder().encode(lab.key()) }),
    },
    {
      sentence: 'Ranges, filters, limits, counts and projections work as in an unsharded table.',
      async holds(lab) {
        const customer = lab.key()
        await putOrders(lab, customer, range(0, 60))
        await putOrders(lab, customer, range(0, 60), true)
        const names = { '#key': 'customer', '#sort': 'order_id' }
        const bounds = { ':from': text(10), ':to': text(49) }
        const ranged = { KeyConditionExpression: '#key = :key AND #sort BETWEEN :from AND :to' }
        const prefixed = { KeyConditionExpression: '#key = :key AND begins_with(#sort, :prefix)' }
        const variants: [object, (object | undefined)?, object?][] = [
          [{ ...ranged, ScanIndexForward: false }, names, bounds],
          [prefixed, names, { ':prefix': '01' }],
          [{ Limit: 17 }],
          [{ Select: 'COUNT' }],
          [{ Select: 'COUNT', FilterExpression: 'amount > :amount' }, undefined, { ':amount': 30 }],
          [{ ProjectionExpression: 'note, amount', Limit: 9 }],
          [{ ProjectionExpression: 'customer' }],
        ]
        for (const [variant, moreNames = {}, values = {}] of variants) {
          const ask = async (plain: boolean) => {
            const input = lab.ofKey('orders', customer, plain)
            const { Items, Count, ScannedCount, LastEvaluatedKey } = await (plain
              ? lab.documents
              : lab.process()
            ).send(
              new DocumentQueryCommand({
                ...input,
                ConsistentRead: true,
                ...variant,
                ExpressionAttributeNames: { ...input.ExpressionAttributeNames, ...moreNames },
                ExpressionAttributeValues: { ...input.ExpressionAttributeValues, ...values },
              }),
            )
            return { Items, Count, ScannedCount, endsAt: LastEvaluatedKey?.order_id }
          }
          const { ScannedCount: looked, ...sharded } = await ask(false)
          const { ScannedCount: lookedPlainly, ...plain } = await ask(true)
          expect(sharded, JSON.stringify(variant)).toEqual(plain)
          expect(looked).toBe(lookedPlainly)
        }
        // A filtered page can end early; all pages together return the same as a table.
        for (const plain of [false, true]) {
          const found = await lab.query(plain ? lab.documents : lab.process(), 'orders', customer, {
            plain,
            pageSize: 20,
            FilterExpression: 'note = :note',
            ExpressionAttributeValues: { ':key': customer, ':note': 'note 1' },
          })
          const expected = range(0, 60).filter((id) => id % 3 === 1)
          expect(found.map(({ amount }) => amount)).toEqual(expected)
        }
      },
    },
    {
      sentence: "The cursor has the shape of the table's key, and any process can continue from it.",
      async holds(lab) {
        const key = lab.key()
        const process = lab.process()
        for (const at of range(0, 30)) {
          await process.send(
            new PutCommand({ TableName: lab.names.sharded.log, Item: { file_path: key, at } }),
          )
        }
        const seen: unknown[] = []
        let cursor: string | undefined
        do {
          const from: Item | undefined = cursor === undefined ? undefined : JSON.parse(cursor)
          const page = await lab.process().send(
            new DocumentQueryCommand({
              ...lab.ofKey('log', key),
              ConsistentRead: true,
              Limit: 7,
              ...(from === undefined ? {} : { ExclusiveStartKey: from }),
            }),
          )
          seen.push(...(page.Items ?? []).map(({ at }) => at))
          if (page.LastEvaluatedKey !== undefined) {
            expect(Object.keys(page.LastEvaluatedKey).sort()).toEqual(['at', 'file_path'])
          }
          cursor = page.LastEvaluatedKey === undefined ? undefined : JSON.stringify(page.LastEvaluatedKey)
        } while (cursor !== undefined)
        expect(seen).toEqual(range(0, 30))
      },
    },
    {
      sentence:
        'The cursor survives a change of the shard count: no item is repeated or missed, in both directions.',
      async holds(lab) {
        for (const isForward of [true, false]) {
          const key = lab.key()
          const process = lab.process()
          const put = (at: number) =>
            process.send(new PutCommand({ TableName: lab.names.sharded.log, Item: { file_path: key, at } }))
          for (const at of range(0, 40)) await put(at)
          const shards = process.shards(lab.names.sharded.log, key)
          const between = [
            () => shards.set(9),
            async () => void (await Promise.all(range(0, 40).map((at) => put(at + 0.5)))),
            () => shards.set(2),
            () => shards.drain({ unitsPerSecond: 10_000 }),
          ]
          const seen: number[] = []
          let from: Item | undefined
          do {
            const page = await lab.process().send(
              new DocumentQueryCommand({
                ...lab.ofKey('log', key),
                ConsistentRead: true,
                ScanIndexForward: isForward,
                Limit: 7,
                ...(from === undefined ? {} : { ExclusiveStartKey: from }),
              }),
            )
            seen.push(...(page.Items ?? []).map(({ at }) => at))
            from = page.LastEvaluatedKey
            await between.shift()?.()
          } while (from !== undefined)
          expect(between).toEqual([])
          expect(new Set(seen).size).toBe(seen.length)
          expect(seen).toEqual(seen.toSorted((a, b) => (isForward ? a - b : b - a)))
          expect(seen.filter((at) => Number.isInteger(at))).toEqual(
            isForward ? range(0, 40) : range(0, 40).reverse(),
          )
        }
      },
    },
    {
      sentence: 'Pages of a calculated key have no gap and no repetition while its items are moved.',
      needs: ['transactions'],
      async holds(lab) {
        const customer = lab.key()
        await putOrders(lab, customer, range(0, 40))
        const seen: unknown[] = []
        let from: Item | undefined
        const page = async () => {
          const { Items = [], LastEvaluatedKey } = await lab.process().send(
            new DocumentQueryCommand({
              ...lab.ofKey('orders', customer),
              ConsistentRead: true,
              Limit: 9,
              ...(from === undefined ? {} : { ExclusiveStartKey: from }),
            }),
          )
          seen.push(...Items.map(({ order_id }) => order_id))
          from = LastEvaluatedKey
        }
        await throughChange(lab, { key: customer, from: 4, to: 7 }, page)
        while (from !== undefined) await page()
        expect(seen).toEqual(range(0, 40).map(text))
      },
    },
    {
      sentence: 'A consistent query returns every write that any process had acknowledged before it began.',
      async holds(lab) {
        const key = lab.key()
        const reader = lab.process()
        for (const at of range(0, 10)) {
          const writer = lab.process()
          await writer.shards(lab.names.sharded.log, key).set(4 + at)
          await writer.send(
            new PutCommand({ TableName: lab.names.sharded.log, Item: { file_path: key, at } }),
          )
          expect(await lab.query(reader, 'log', key)).toHaveLength(at + 1)
        }
      },
    },
    {
      sentence: 'The consumed capacity of a query is the sum over its shards.',
      async holds(lab) {
        const customer = lab.key()
        await putOrders(lab, customer, range(0, 20))
        const { ConsumedCapacity } = await lab.process().send(
          new DocumentQueryCommand({
            ...lab.ofKey('orders', customer),
            ConsistentRead: true,
            ReturnConsumedCapacity: 'TOTAL',
          }),
        )
        // Each of the four shards is queried at least once, and a response costs at least one unit.
        expect(ConsumedCapacity?.TableName).toBe(lab.names.sharded.orders)
        expect(ConsumedCapacity?.CapacityUnits).toBeGreaterThanOrEqual(4)
        expect(ConsumedCapacity?.CapacityUnits).toBeLessThanOrEqual(8)
      },
    },
  ],
}
