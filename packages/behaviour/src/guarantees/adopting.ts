import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { expect } from 'vitest'
import { throughChange } from '../laboratory/changing.js'
import type { Laboratory } from '../laboratory/laboratory.js'
import type { Guarantees } from './guarantee.js'

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const text = (index: number) => String(index).padStart(3, '0')

/** Items that were stored before the table was sharded. */
async function putOld(lab: Laboratory, customer: string, count: number): Promise<void> {
  for (const id of range(0, count)) {
    await lab.documents.send(
      new PutCommand({
        TableName: lab.names.sharded.old,
        Item: { customer, order_id: text(id), amount: id },
      }),
    )
  }
}

export const adopting: Guarantees = {
  subject: 'Adopting a table with items in it',
  file: 'adopting.ts',
  all: [
    {
      sentence: 'Existing items stay in place, visible to old readers, and new writers find them.',
      async holds(lab) {
        const customer = lab.key()
        await putOld(lab, customer, 10)
        const before = await lab.stored('old', customer)
        const process = lab.process()
        expect(await lab.query(process, 'old', customer)).toHaveLength(10)
        const Key = { customer, order_id: text(3) }
        const TableName = lab.names.sharded.old
        expect((await process.send(new GetCommand({ TableName, Key }))).Item).toMatchObject({ amount: 3 })
        expect(await lab.stored('old', customer)).toEqual(before)
        await process.send(
          new UpdateCommand({
            TableName,
            Key,
            UpdateExpression: 'SET amount = :amount',
            ExpressionAttributeValues: { ':amount': 33 },
          }),
        )
        // A reader without the library asks for the bare key.
        expect((await lab.documents.send(new GetCommand({ TableName, Key }))).Item).toMatchObject({
          amount: 33,
        })
      },
    },
    {
      sentence:
        'When the shard count of an adopted key grows, only items whose shard changes are moved, and each keeps one copy.',
      needs: ['transactions'],
      async holds(lab) {
        const customer = lab.key()
        await putOld(lab, customer, 30)
        const TableName = lab.names.sharded.old
        let next = 30
        await throughChange(lab, { shape: 'old', key: customer, from: 1, to: 3 }, async () => {
          const put = { TableName, Item: { customer, order_id: text(next), amount: next } }
          next += 1
          await lab.process().send(new PutCommand(put))
          const items = await lab.query(lab.process(), 'old', customer)
          expect(items).toEqual(range(0, next).map((id) => ({ customer, order_id: text(id), amount: id })))
          expect(await lab.stored('old', customer)).toHaveLength(next)
        })
        const stored = (await lab.stored('old', customer)).map(({ physical }) => physical)
        expect([...new Set(stored)].sort()).toEqual([customer, `${customer}_2`, `${customer}_3`])
      },
    },
    {
      sentence: 'A logical key that looks like a shard of another one is rejected.',
      async holds(lab) {
        const TableName = lab.names.sharded.old
        const process = lab.process()
        const Key = { customer: `${lab.key()}_2`, order_id: '1' }
        for (const send of [
          () => process.send(new PutCommand({ TableName, Item: Key })),
          () => process.send(new GetCommand({ TableName, Key })),
          () => process.send(new DeleteCommand({ TableName, Key })),
        ]) {
          await expect(send()).rejects.toMatchObject({ code: 'key.ambiguous' })
        }
      },
    },
  ],
}
