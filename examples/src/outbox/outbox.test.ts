import { CreateTableCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { queueTable } from 'isotherm/queue'
import { expect, it, vi } from 'vitest'
import { Outbox } from './outbox.js'

it('each order has one mail, in the order of its customer, and a mail that cannot be sent is reported', async () => {
  const local = createLocal()
  const client = local.client()
  await client.send(new CreateTableCommand(queueTable({ table: 'jobs', partitionKey: 'id' })))
  await client.send(createTable('orders', ['id']))
  const outbox = new Outbox(client, { jobs: 'jobs', orders: 'orders' })
  const place = (customer: string, at: number) =>
    outbox.place({ id: `${customer}-${at}`, customer, euros: at })
  const customers = ['ann', 'bob', 'nobody']
  await Promise.all(
    customers.map(async (customer) => {
      for (let at = 1; at <= 5; at++) await place(customer, at)
    }),
  )
  await expect(place('ann', 1)).rejects.toMatchObject({ name: 'TransactionCanceledException' })
  const mails: string[] = []
  const stop = new AbortController()
  const work = outbox.work(async ({ id, to }) => {
    if (to === 'nobody') throw new Error('no such address')
    mails.push(id)
  }, stop.signal)
  await vi.waitFor(
    async () => {
      expect(mails).toHaveLength(10)
      expect(Object.keys(await outbox.failed())).toHaveLength(5)
    },
    { timeout: 60_000, interval: 100 },
  )
  stop.abort()
  expect(await work).toMatchObject({ done: 10, dead: 5 })
  for (const customer of ['ann', 'bob'])
    expect(mails.filter((id) => id.startsWith(customer))).toEqual(
      [1, 2, 3, 4, 5].map((at) => `${customer}-${at}`),
    )
  expect((await outbox.failed())['nobody-1']).toBe('Error: no such address')
  const { Items = [] } = await client.send(new ScanCommand({ TableName: 'orders' }))
  expect(Items.filter(({ mails_sent }) => mails_sent?.N === '1')).toHaveLength(10)
  await local.close()
})
