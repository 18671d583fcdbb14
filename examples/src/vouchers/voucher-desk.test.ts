import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { poolTable } from 'isotherm/pool'
import { expect, it } from 'vitest'
import { VoucherDesk } from './voucher-desk.js'

it('each customer gets one voucher, and no voucher goes to two', async () => {
  const local = createLocal()
  const client = local.client()
  await client.send(new CreateTableCommand(poolTable({ table: 'vouchers', partitionKey: 'code' })))
  await client.send(createTable('customers', ['customer']))
  const desk = new VoucherDesk(client, { vouchers: 'vouchers', customers: 'customers' })
  const codes = Array.from({ length: 120 }, (_, index) => `CODE-${index}`)
  expect(await desk.register(codes, 20)).toBe(120)
  expect(await desk.register(codes, 20)).toBe(0)
  const customers = Array.from({ length: 100 }, (_, index) => `customer-${index % 50}`)
  const given = await Promise.all(customers.map((customer) => desk.give(customer)))
  expect(new Set(given.map((voucher) => voucher?.code)).size).toBe(50)
  expect(given.slice(0, 50)).toEqual(given.slice(50))
  expect(given[0]).toMatchObject({ euros: 20 })
  expect(await desk.left()).toBe(70)
  for (let index = 0; index < 70; index++) expect(await desk.give(`late-${index}`)).toBeDefined()
  expect(await desk.give('too late')).toBeUndefined()
  await local.close()
})
