import { PutCommand, TransactGetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { expect } from 'vitest'
import { throughChange } from '../laboratory/changing.js'
import type { Laboratory } from '../laboratory/laboratory.js'
import type { Guarantees } from './guarantee.js'

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const text = (index: number) => String(index).padStart(3, '0')

/** A purchase: a new order, a sufficient amount, an entry in the log, and an item of an unsharded table. */
function purchase(lab: Laboratory, customer: string, order_id: string, ledger: string): TransactWriteCommand {
  const { sharded, plain } = lab.names
  return new TransactWriteCommand({
    TransactItems: [
      {
        Put: {
          TableName: sharded.orders,
          Item: { customer, order_id, amount: 5 },
          ConditionExpression: 'attribute_not_exists(customer)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      {
        Update: {
          TableName: sharded.orders,
          Key: { customer, order_id: ledger },
          UpdateExpression: 'ADD amount :five',
          ConditionExpression: 'attribute_exists(customer)',
          ExpressionAttributeValues: { ':five': 5 },
        },
      },
      { Put: { TableName: sharded.log, Item: { file_path: customer, at: Number(order_id) } } },
      { Put: { TableName: plain.orders, Item: { customer, order_id } } },
    ],
  })
}

export const transactions: Guarantees = {
  subject: 'Transactions',
  file: 'transactions.ts',
  all: [
    {
      sentence:
        'A transaction over several shards and unsharded tables is all or nothing, in every phase of a change.',
      needs: ['transactions'],
      async holds(lab) {
        const customer = lab.key()
        const ledger = 'ledger'
        const TableName = lab.names.sharded.orders
        await lab
          .process()
          .send(new PutCommand({ TableName, Item: { customer, order_id: ledger, amount: 0 } }))
        let next = 0
        await throughChange(lab, { key: customer, from: 4, to: 9 }, async () => {
          for (const _ of range(0, 4)) await lab.process().send(purchase(lab, customer, text(next++), ledger))
          for (const taken of [0, next - 1]) {
            await expect(
              lab.process().send(purchase(lab, customer, text(taken), ledger)),
            ).rejects.toMatchObject({
              name: 'TransactionCanceledException',
              CancellationReasons: [
                {
                  Code: 'ConditionalCheckFailed',
                  Item: { customer: { S: customer }, order_id: { S: text(taken) }, amount: { N: '5' } },
                },
                { Code: 'None' },
                { Code: 'None' },
                { Code: 'None' },
              ],
            })
          }
          await expect(lab.process().send(purchase(lab, customer, '999', 'no ledger'))).rejects.toMatchObject(
            {
              CancellationReasons: [
                { Code: 'None' },
                { Code: 'ConditionalCheckFailed' },
                { Code: 'None' },
                { Code: 'None' },
              ],
            },
          )
          const orders = await lab.query(lab.process(), 'orders', customer)
          expect(orders).toEqual([
            ...range(0, next).map((id) => ({ customer, order_id: text(id), amount: 5 })),
            { customer, order_id: ledger, amount: next * 5 },
          ])
          expect(await lab.query(lab.process(), 'log', customer)).toHaveLength(next)
          expect(await lab.query(lab.documents, 'orders', customer, { plain: true })).toHaveLength(next)
        })
      },
    },
    {
      sentence:
        'A read transaction returns one response for each member, in their order, whatever shards they are in.',
      needs: ['transactions'],
      async holds(lab) {
        const customer = lab.key()
        const TableName = lab.names.sharded.orders
        const process = lab.process()
        for (const id of range(0, 10)) {
          await process.send(new PutCommand({ TableName, Item: { customer, order_id: text(id) } }))
        }
        const ids = [7, 99, 0, 3].map(text)
        await throughChange(lab, { key: customer, from: 4, to: 6 }, async () => {
          const { Responses } = await lab.process().send(
            new TransactGetCommand({
              TransactItems: ids.map((order_id) => ({ Get: { TableName, Key: { customer, order_id } } })),
            }),
          )
          expect(Responses?.map(({ Item }) => Item)).toEqual(
            ids.map((order_id) => (order_id === text(99) ? undefined : { customer, order_id })),
          )
        })
      },
    },
    {
      sentence:
        'A transaction with too many actions after rewriting is rejected with an error that contains both numbers and the remedy.',
      needs: ['transactions'],
      async holds(lab) {
        const file_path = lab.key()
        const TableName = lab.names.sharded.log
        const TransactItems = range(0, 30).map((at) => ({ Get: { TableName, Key: { file_path, at } } }))
        await expect(lab.process().send(new TransactGetCommand({ TransactItems }))).rejects.toMatchObject({
          code: 'transaction.too-large',
          details: { members: 30, actions: 120, maxActions: 100 },
        })
      },
    },
  ],
}
