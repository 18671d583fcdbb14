import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineCall } from '../items/engine-call.fixture.js'
import type { Call } from '../items/item.js'
import { definitionInput, type TableDescription } from './table-definition.js'
import { createTableInput, NEW_INDEX, NEW_TABLE, type TableForm } from './table-form.js'

let call: Call
let close = async () => {}
beforeAll(async () => {
  const engine = await engineCall()
  call = engine.call
  close = () => engine.local.close()
})
afterAll(() => close())

const describeTable = async (TableName: string) =>
  (await call<{ Table: TableDescription }>('DescribeTable', { TableName })).Table

const FULL: TableForm = {
  ...NEW_TABLE,
  name: 'orders',
  partition: { name: 'customer', type: 'S' },
  sort: { name: 'number', type: 'N' },
  indexes: [
    {
      ...NEW_INDEX,
      name: 'by_state',
      partition: { name: 'state', type: 'S' },
      sort: { name: 'number', type: 'N' },
      projection: 'INCLUDE',
      included: ' total, placed ,',
    },
    {
      ...NEW_INDEX,
      name: 'by_total',
      kind: 'local',
      sort: { name: 'total', type: 'N' },
      projection: 'KEYS_ONLY',
    },
  ],
  stream: 'NEW_IMAGE',
  isProtected: true,
}

describe('the form of a table', () => {
  it.each([
    ['on-demand', FULL],
    ['provisioned', { ...FULL, name: 'provisioned', billing: 'PROVISIONED', writeUnits: 7 } as const],
    ['small', { ...NEW_TABLE, name: 'small', partition: { name: 'id', type: 'B' } } as const],
  ])('makes the table, and its definition makes the same one: %s', async (_, form) => {
    await call('CreateTable', createTableInput(form))
    const described = await describeTable(form.name)
    await call('CreateTable', { ...definitionInput(described), TableName: `${form.name}_copy` })
    const copy = await describeTable(`${form.name}_copy`)
    expect({ ...definitionInput(copy), TableName: form.name }).toEqual(definitionInput(described))
  })

  it('has what was asked for', async () => {
    expect(await describeTable('orders')).toMatchObject({
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      DeletionProtectionEnabled: true,
      StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
      GlobalSecondaryIndexes: [{ Projection: { NonKeyAttributes: ['placed', 'total'] } }],
      LocalSecondaryIndexes: [{ KeySchema: [{ AttributeName: 'customer' }, { AttributeName: 'total' }] }],
    })
    const { GlobalSecondaryIndexes, ProvisionedThroughput } = await describeTable('provisioned')
    expect(ProvisionedThroughput?.WriteCapacityUnits).toBe(7)
    expect(GlobalSecondaryIndexes?.[0]?.ProvisionedThroughput?.WriteCapacityUnits).toBe(7)
  })
})
