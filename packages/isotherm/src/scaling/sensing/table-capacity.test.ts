import type { TableDescription } from '@aws-sdk/client-dynamodb'
import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import { TableCapacityReader } from './table-capacity.js'

function readerOf(describe: () => TableDescription | undefined) {
  const clock = new VirtualClock()
  const asked: unknown[] = []
  const client = {
    send: async ({ input }: { input: unknown }) => {
      asked.push(input)
      return { Table: describe() }
    },
  } as unknown as PhysicalClient
  return { clock, asked, reader: new TableCapacityReader(client, clock, 'log') }
}

const capacityOf = (table: TableDescription | undefined) => readerOf(() => table).reader.readNow()

describe('the capacity of a table', () => {
  it('is that of a provisioned table, which may be being updated', async () => {
    const ProvisionedThroughput = { ReadCapacityUnits: 50, WriteCapacityUnits: 20 }
    const provisioned = { mode: 'provisioned', readUnits: 50, writeUnits: 20 }
    expect(await capacityOf({ ProvisionedThroughput, TableStatus: 'ACTIVE' })).toEqual({
      ...provisioned,
      isUpdating: false,
    })
    expect(await capacityOf({ ProvisionedThroughput, TableStatus: 'UPDATING' })).toEqual({
      ...provisioned,
      isUpdating: true,
    })
  })

  it('is that of an on-demand table, with a maximum and warm throughput if it has any', async () => {
    const BillingModeSummary = { BillingMode: 'PAY_PER_REQUEST' } as const
    const limits = {
      OnDemandThroughput: { MaxReadRequestUnits: 500, MaxWriteRequestUnits: -1 },
      WarmThroughput: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 4_000 },
    }
    const units = { ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 } }
    expect(await capacityOf({ BillingModeSummary, ...limits, ...units })).toEqual({
      mode: 'on-demand',
      read: { maximum: 500, warm: 12_000 },
      write: { maximum: undefined, warm: 4_000 },
    })
  })

  it('is on demand where a service reports no units, or nothing at all', async () => {
    const none = { maximum: undefined, warm: undefined }
    const unknown = { mode: 'on-demand', read: none, write: none }
    expect(await capacityOf({ ProvisionedThroughput: { WriteCapacityUnits: 0 } })).toEqual(unknown)
    expect(await capacityOf({})).toEqual(unknown)
    expect(await capacityOf(undefined)).toEqual(unknown)
  })

  it('has no limit where an engine reports 0', async () => {
    const none = { maximum: undefined, warm: undefined }
    expect(
      await capacityOf({
        OnDemandThroughput: { MaxReadRequestUnits: 0, MaxWriteRequestUnits: 0 },
        WarmThroughput: { ReadUnitsPerSecond: 0, WriteUnitsPerSecond: 0 },
      }),
    ).toEqual({ mode: 'on-demand', read: none, write: none })
  })

  it('is asked for once a minute, by the name of the table', async () => {
    const { clock, asked, reader } = readerOf(() => ({}))
    await Promise.all([reader.read(), reader.read()])
    clock.advance(59_999)
    await reader.read()
    expect(asked).toEqual([{ TableName: 'log' }])
    clock.advance(1)
    await reader.read()
    expect(asked).toHaveLength(2)
    await reader.readNow()
    expect(asked).toHaveLength(3)
  })
})
