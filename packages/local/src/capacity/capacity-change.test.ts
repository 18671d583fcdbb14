import { CreateTableCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb'
import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { CapacityEvent } from '../catalog/table-assembly.js'
import { createLocal } from '../local.js'
import { capacityChange } from './capacity-change.js'
import type { CapacitySettings } from './capacity-settings.js'

function provisioned(readUnits: number, writeUnits: number): CapacitySettings {
  return { billingMode: 'PROVISIONED', throughput: { readUnits, writeUnits } }
}

const onDemand = (onDemandMaximum: CapacitySettings['onDemandMaximum']): CapacitySettings => ({
  billingMode: 'PAY_PER_REQUEST',
  throughput: { readUnits: 0, writeUnits: 0 },
  ...(onDemandMaximum === undefined ? {} : { onDemandMaximum }),
})

describe('the allowed capacity', () => {
  it.each([
    ['reads', provisioned(5, 5), provisioned(6, 5)],
    ['writes', provisioned(5, 5), provisioned(5, 6)],
    ['the billing mode', provisioned(5, 5), onDemand({ readUnits: 5, writeUnits: 5 })],
  ] as const)('changes with %s alone', (_name, before, after) => {
    expect(capacityChange(before, before, 7)).toBeUndefined()
    expect(capacityChange(before, after, 7)?.at).toBe(7)
  })

  it('has units of reads or writes only where they have a maximum', () => {
    const [free, reads, writes] = [
      onDemand(undefined),
      onDemand({ readUnits: 5 }),
      onDemand({ writeUnits: 6 }),
    ]
    const billingMode = 'PAY_PER_REQUEST'
    expect(capacityChange(free, reads, 0)).toStrictEqual({
      at: 0,
      from: { billingMode },
      to: { billingMode, readUnits: 5 },
    })
    expect(capacityChange(reads, writes, 0)?.to).toStrictEqual({ billingMode, writeUnits: 6 })
  })
})

it('an engine reports each change of the capacity that a table is allowed, and nothing else', async () => {
  const events: CapacityEvent[] = []
  const clock = new VirtualClock(1_000_000)
  const local = createLocal({ clock, onCapacityEvent: (event) => events.push(event) })
  const client = local.client()
  await client.send(
    new CreateTableCommand({
      TableName: 'orders',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    }),
  )
  const update = async (change: object) => {
    clock.advance(60_000)
    await client.send(new UpdateTableCommand({ TableName: 'orders', ...change }))
    clock.advance(60_000)
  }
  expect(events).toEqual([])
  await update({ ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 50 } })
  await update({ BillingMode: 'PAY_PER_REQUEST' })
  await update({ OnDemandThroughput: { MaxWriteRequestUnits: 700 } })
  await update({ DeletionProtectionEnabled: true })
  const five = { billingMode: 'PROVISIONED', readUnits: 5, writeUnits: 5 }
  const fifty = { billingMode: 'PROVISIONED', readUnits: 5, writeUnits: 50 }
  const onDemand = { billingMode: 'PAY_PER_REQUEST' }
  expect(events).toEqual([
    { table: 'orders', at: expect.any(Number), from: five, to: fifty },
    { table: 'orders', at: expect.any(Number), from: fifty, to: onDemand },
    { table: 'orders', at: expect.any(Number), from: onDemand, to: { ...onDemand, writeUnits: 700 } },
  ])
  client.destroy()
  await local.close()
})
