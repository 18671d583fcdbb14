import {
  DescribeTableCommand,
  type TableDescription,
  type TimeToLiveDescription,
} from '@aws-sdk/client-dynamodb'
import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { MovingTable } from '../../protocol/index.js'
import { MoveCostReader } from './move-costs.js'

interface Described {
  readonly table?: TableDescription | Error
  readonly expiry?: TimeToLiveDescription | Error
  readonly transactions?: boolean
}

function readerOf(described: Described) {
  const clock = new VirtualClock()
  const asked: object[] = []
  const client = {
    send: async (command: { input: object }) => {
      const { table = {}, expiry = {} } = described
      asked.push(command.input)
      const answer = command instanceof DescribeTableCommand ? table : expiry
      if (answer instanceof Error) throw answer
      return command instanceof DescribeTableCommand ? { Table: table } : { TimeToLiveDescription: expiry }
    },
  }
  const options = { name: 'log', transactions: described.transactions ?? false }
  return { clock, asked, reader: new MoveCostReader({ client, clock, options } as unknown as MovingTable) }
}

const costsOf = (described: Described) => readerOf(described).reader.read()

describe('the cost of moving an item', () => {
  it('is a mark, a put and a deletion, of which a transaction doubles the last two', async () => {
    expect(await costsOf({})).toEqual({ unitsPerKilobyte: 3, timeToLive: undefined })
    expect((await costsOf({ transactions: true })).unitsPerKilobyte).toBe(5)
  })

  it('is as much in each index, without the price of a transaction, and again in each other region', async () => {
    const GlobalSecondaryIndexes = [{}, {}]
    const LocalSecondaryIndexes = [{}]
    const units = async (table: TableDescription) =>
      (await costsOf({ table, transactions: true })).unitsPerKilobyte
    expect(await units({ GlobalSecondaryIndexes })).toBe(5 + 2 * 3)
    expect(await units({ GlobalSecondaryIndexes, LocalSecondaryIndexes })).toBe(5 + 3 * 3)
    expect(await units({ LocalSecondaryIndexes, Replicas: [{}, {}] })).toBe((5 + 3) * 3)
  })

  it('knows the attribute by which the service deletes items', async () => {
    const expiry = { AttributeName: 'until' }
    for (const TimeToLiveStatus of ['ENABLED', 'ENABLING'] as const) {
      expect((await costsOf({ expiry: { ...expiry, TimeToLiveStatus } })).timeToLive).toBe('until')
    }
    for (const TimeToLiveStatus of ['DISABLED', 'DISABLING'] as const) {
      expect((await costsOf({ expiry: { ...expiry, TimeToLiveStatus } })).timeToLive).toBeUndefined()
    }
  })

  it('is that of a plain table where a description is denied, and of what the other one says', async () => {
    const denied = new Error('AccessDenied')
    const expiry = { AttributeName: 'until', TimeToLiveStatus: 'ENABLED' } as const
    expect(await costsOf({ table: denied, expiry })).toEqual({ unitsPerKilobyte: 3, timeToLive: 'until' })
    expect(await costsOf({ table: { Replicas: [{}] }, expiry: denied })).toEqual({
      unitsPerKilobyte: 6,
      timeToLive: undefined,
    })
  })

  it('is read once an hour', async () => {
    const { clock, asked, reader } = readerOf({})
    await reader.read()
    clock.advance(3_599_999)
    await reader.read()
    expect(asked).toEqual([{ TableName: 'log' }, { TableName: 'log' }])
    clock.advance(1)
    await reader.read()
    expect(asked).toHaveLength(4)
  })

  it.each(['table', 'expiry'] as const)(
    'is read again after a minute if the %s was not described',
    async (lost) => {
      const answers: Described = {
        table: { GlobalSecondaryIndexes: [{}] },
        expiry: { AttributeName: 'until', TimeToLiveStatus: 'ENABLED' },
      }
      const described = { ...answers, [lost]: new Error('TimeoutError') }
      const { clock, asked, reader } = readerOf(described)
      await reader.read()
      Object.assign(described, answers)
      clock.advance(59_999)
      await reader.read()
      expect(asked).toHaveLength(2)
      clock.advance(1)
      expect(await reader.read()).toEqual({ unitsPerKilobyte: 6, timeToLive: 'until' })
      clock.advance(3_599_999)
      await reader.read()
      expect(asked).toHaveLength(4)
    },
  )
})
