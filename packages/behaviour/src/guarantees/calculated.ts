import { UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { expect } from 'vitest'
import { throughChange } from '../laboratory/changing.js'
import {
  CACHE_MILLISECONDS,
  type Item,
  type Laboratory,
  type MapState,
  type Process,
} from '../laboratory/laboratory.js'
import { outcomesOfSameRequests } from '../laboratory/same-requests.js'
import type { Guarantees } from './guarantee.js'

const text = (index: number) => String(index).padStart(3, '0')
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

async function put(lab: Laboratory, process: Process, customer: string, ids: readonly string[]) {
  for (const order_id of ids) {
    await process.send(
      new PutCommand({ TableName: lab.names.sharded.orders, Item: { customer, order_id, amount: 0 } }),
    )
  }
}

/** Lets all processes create one item at once, and expects exactly one of them to succeed. */
async function race(lab: Laboratory, customer: string, order_id: string, processes: readonly Process[]) {
  const create = (by: number) =>
    new PutCommand({
      TableName: lab.names.sharded.orders,
      Item: { customer, order_id, by },
      ConditionExpression: 'attribute_not_exists(customer)',
    })
  const answers = await Promise.allSettled(processes.map((process, by) => process.send(create(by))))
  const refused = answers.filter((answer) => answer.status === 'rejected')
  for (const { reason } of refused) expect(reason).toMatchObject({ name: 'ConditionalCheckFailedException' })
  expect(refused).toHaveLength(processes.length - 1)
  const winner = answers.findIndex(({ status }) => status === 'fulfilled')
  const stored = (await lab.stored('orders', customer)).filter((item) => item.order_id === order_id)
  expect(stored).toMatchObject([{ by: winner }])
}

/** Expects that no logical item is stored twice. */
async function expectOneCopyEach(lab: Laboratory, customer: string): Promise<void> {
  const ids = (await lab.stored('orders', customer)).map(({ order_id }) => order_id)
  expect(ids.toSorted()).toEqual([...new Set(ids)].sort())
}

export const calculated: Guarantees = {
  subject: 'Items with a calculated suffix',
  file: 'calculated.ts',
  all: [
    {
      sentence: 'Conditions, updates, counters and return values work as in an unsharded table.',
      async holds(lab) {
        await outcomesOfSameRequests(lab, lab.key(), 120, 1)
      },
    },
    {
      sentence: 'They do so in every phase while the shard count of the key grows or falls.',
      needs: ['transactions'],
      async holds(lab) {
        for (const [from, to] of [
          [4, 7],
          [6, 2],
        ] as const) {
          const customer = lab.key()
          let seed = from
          await throughChange(lab, { key: customer, from, to }, async () => {
            seed += 1
            await outcomesOfSameRequests(lab, customer, 30, seed)
            await expectOneCopyEach(lab, customer)
          })
          const shards = (await lab.stored('orders', customer)).map(({ physical }) =>
            Number(physical.split('_').at(-1)),
          )
          expect(Math.max(...shards)).toBeLessThanOrEqual(to)
        }
      },
    },
    {
      sentence: 'A counter loses no increment of any process in any phase, nor while its item is moved.',
      needs: ['transactions'],
      async holds(lab) {
        const customer = lab.key()
        const ids = range(0, 6).map(text)
        const add = async (process: Process, order_id: string) => {
          await process.send(
            new UpdateCommand({
              TableName: lab.names.sharded.orders,
              Key: { customer, order_id },
              UpdateExpression: 'ADD amount :one',
              ExpressionAttributeValues: { ':one': 1 },
            }),
          )
        }
        const addEverywhere = async () => {
          // The mover's waits pass at once here, but they use up the deadline of a request in flight.
          const patient = { orders: { retryDeadline: '10m' } } as const
          const processes = [lab.process(patient), lab.process(patient)]
          await Promise.all(processes.flatMap((process) => ids.map((id) => add(process, id))))
        }
        await throughChange(lab, { key: customer, from: 1, to: 2 }, async (phase) => {
          if (phase === 'before') await put(lab, lab.process(), customer, ids)
          await addEverywhere()
        })
        await lab.setState('orders', customer, {
          shards: 5,
          before: [2],
          change: { phase: 'moved', from: 2, to: 5 },
        })
        const mover = lab.process().shards(lab.names.sharded.orders, customer)
        await Promise.all([mover.drain({ unitsPerSecond: 10_000 }), addEverywhere(), addEverywhere()])
        lab.clock.advance(60_000)
        await addEverywhere()
        const found = await lab.query(lab.process(), 'orders', customer)
        expect(found).toEqual(ids.map((order_id) => ({ customer, order_id, amount: 14 })))
        await expectOneCopyEach(lab, customer)
      },
    },
    {
      sentence: 'Of many concurrent creates of the same item, exactly one succeeds, in every phase.',
      needs: ['transactions'],
      async holds(lab) {
        const customer = lab.key()
        let next = 0
        await throughChange(lab, { key: customer, from: 2, to: 3 }, async () => {
          for (const _ of range(0, 6)) {
            await race(lab, customer, text(next++), [
              lab.process(),
              lab.process(),
              lab.process(),
              lab.process(),
            ])
          }
        })
      },
    },
    {
      sentence: 'This also holds while some processes do not know the newest phase yet.',
      needs: ['transactions'],
      async holds(lab) {
        const customer = lab.key()
        const change = { from: 2, to: 7 }
        const phases: readonly MapState[] = [
          { shards: 2 },
          { shards: 2, before: [2], change: { phase: 'announced', ...change } },
          { shards: 7, before: [2], change: { phase: 'moved', ...change } },
        ]
        await lab.setState('orders', customer, { shards: 2 })
        let next = 0
        for (const phase of phases.slice(1)) {
          const late = [lab.process(), lab.process()]
          const Key = { customer, order_id: 'none' }
          for (const process of late) {
            await process.send(new GetCommand({ TableName: lab.names.sharded.orders, Key }))
          }
          await lab.setStateUnnoticed('orders', customer, phase)
          for (const _ of range(0, 12)) {
            await race(lab, customer, text(next++), [...late, lab.process(), lab.process()])
          }
          lab.clock.advance(CACHE_MILLISECONDS)
        }
        expect(await lab.query(lab.process(), 'orders', customer)).toHaveLength(next)
      },
    },
    {
      sentence:
        'If a process ends after marking an item for a move, the next process that accesses the item moves it.',
      needs: ['transactions'],
      async holds(lab) {
        const meetings: ((lab: Laboratory, key: Item) => Promise<unknown>)[] = [
          (lab, Key) =>
            lab.process().send(
              new UpdateCommand({
                TableName: lab.names.sharded.orders,
                Key,
                UpdateExpression: 'SET met = :true',
                ExpressionAttributeValues: { ':true': true },
              }),
            ),
          (lab, Key) =>
            lab.process().send(
              new PutCommand({
                TableName: lab.names.sharded.orders,
                Item: { ...Key, met: true },
                ConditionExpression: 'amount = :zero',
                ExpressionAttributeValues: { ':zero': 0 },
              }),
            ),
        ]
        for (const meet of meetings) {
          const customer = lab.key()
          await put(lab, lab.process(), customer, range(0, 12).map(text))
          await lab.setState('orders', customer, {
            shards: 9,
            before: [4],
            change: { phase: 'moved', from: 4, to: 9 },
          })
          const marked = await markOne(lab, customer)
          const Key = { customer, order_id: marked.order_id }
          const got = await lab
            .process()
            .send(new GetCommand({ TableName: lab.names.sharded.orders, Key, ConsistentRead: true }))
          expect(got.Item).toEqual({ ...Key, amount: 0 })
          expect(await lab.query(lab.process(), 'orders', customer)).toHaveLength(12)
          await meet(lab, Key)
          const stored = (await lab.stored('orders', customer)).filter(
            ({ order_id }) => order_id === marked.order_id,
          )
          expect(stored).toHaveLength(1)
          expect(stored[0]).toMatchObject({ physical: `${customer}_${marked.target}`, met: true })
        }
      },
    },
    {
      sentence: 'A growing shard count moves only items whose shard changes, and only to new shards.',
      needs: ['transactions'],
      async holds(lab) {
        const customer = lab.key()
        await put(lab, lab.process(), customer, range(0, 60).map(text))
        const places = async () =>
          new Map(
            (await lab.stored('orders', customer)).map(({ order_id, physical }) => [order_id, physical]),
          )
        const before = await places()
        await throughChange(lab, { key: customer, from: 4, to: 5 }, async () => {})
        const after = await places()
        const moved = [...after].filter(([id, physical]) => before.get(id) !== physical)
        expect(after.size).toBe(60)
        expect(moved.length).toBeGreaterThan(0)
        // A fifth of sixty, plus three standard deviations.
        expect(moved.length).toBeLessThan(12 + 3 * 3.1)
        expect(new Set(moved.map(([, physical]) => physical))).toEqual(new Set([`${customer}_5`]))
      },
    },
    {
      sentence: "The library's own attributes are never returned, and never accepted from the application.",
      needs: ['transactions'],
      async holds(lab) {
        const customer = lab.key()
        await put(lab, lab.process(), customer, range(0, 20).map(text))
        await throughChange(lab, { key: customer, from: 4, to: 8 }, async () => {})
        const stored = await lab.stored('orders', customer)
        expect(stored.some((item) => 'isotherm_moved' in item)).toBe(true)
        const process = lab.process()
        const shown = await lab.query(process, 'orders', customer)
        for (const Key of shown.map(({ order_id }) => ({ customer, order_id }))) {
          const { Item } = await process.send(new GetCommand({ TableName: lab.names.sharded.orders, Key }))
          expect(Item).toEqual({ ...Key, amount: 0 })
          const removal = new DeleteCommand({
            TableName: lab.names.sharded.orders,
            Key,
            ReturnValues: 'ALL_OLD',
          })
          expect((await process.send(removal)).Attributes).toEqual({ ...Key, amount: 0 })
        }
        expect(shown).toHaveLength(20)
        for (const item of shown) expect(Object.keys(item).sort()).toEqual(['amount', 'customer', 'order_id'])
        const own = { customer, order_id: 'x', isotherm_moving: '1:1' }
        await expect(
          process.send(new PutCommand({ TableName: lab.names.sharded.orders, Item: own })),
        ).rejects.toMatchObject({ code: 'command.parameter-unsupported' })
      },
    },
  ],
}

/** Marks an item whose place changes, which is the mover's first step, and stops there. */
async function markOne(lab: Laboratory, customer: string) {
  const TableName = lab.names.sharded.orders
  for (const { order_id, physical } of await lab.stored('orders', customer)) {
    const asked = JSON.stringify(
      await lab
        .process()
        .explain(new GetCommand({ TableName, Key: { customer, order_id }, ConsistentRead: true })),
    )
    const places = new Set(
      [...asked.matchAll(new RegExp(`${customer}_(\\d+)`, 'g'))].map(([, shard]) => Number(shard)),
    )
    const target = [...places].find((shard) => `${customer}_${shard}` !== physical)
    if (target === undefined) continue
    await lab.client.send(
      new UpdateItemCommand({
        TableName,
        Key: { customer: { S: physical }, order_id: { S: String(order_id) } },
        UpdateExpression: 'SET isotherm_moving = :mark',
        ExpressionAttributeValues: { ':mark': { S: `${target}:1` } },
      }),
    )
    return { order_id: String(order_id), target }
  }
  throw new Error('No item of the key has two places.')
}
