import type { TableDescription } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import type { MovingTable } from '../../protocol/index.js'
import { describedTable, migrationPrice } from './migration-price.js'

const KILOBYTE = 1_024
const DESCRIPTION: TableDescription = { ItemCount: 1_000, TableSizeBytes: 1_000 * 1.5 * KILOBYTE }
const READ_UNITS = 375

function priceOf(
  placementKind: MovingTable['placementKind'],
  [from, to]: readonly [number, number],
  {
    description = DESCRIPTION,
    unitsPerSecond,
  }: { description?: TableDescription; unitsPerSecond?: number } = {},
) {
  const costs = { read: async () => ({ unitsPerKilobyte: 5, timeToLive: undefined }) }
  return migrationPrice({ placementKind } as MovingTable, {
    from,
    to,
    description,
    costs: costs as never,
    unitsPerSecond,
  })
}

describe('the price of a migration', () => {
  it.each([
    ['calculated', [2, 8], 750],
    ['calculated', [8, 2], 750],
    ['calculated', [4, 5], 200],
    ['random', [8, 2], 750],
    ['random', [4, 3], 250],
  ] as const)(
    'is for the items that have to move, and for each of their kilobytes (%s, %j)',
    async (kind, counts, moving) => {
      const writeUnits = moving * 2 * 5
      expect(await priceOf(kind, counts)).toEqual({
        items: 1_000,
        movingItems: moving,
        readUnits: READ_UNITS,
        writeUnits,
        seconds: Math.ceil((READ_UNITS + writeUnits) / 100),
      })
    },
  )

  it('has the time at the given rate', async () => {
    const { seconds } = await priceOf('calculated', [2, 8], { unitsPerSecond: 1_000 })
    expect(seconds).toBe(Math.ceil((READ_UNITS + 7_500) / 1_000))
  })

  it.each([
    ['random', [2, 8]],
    ['random', [4, 4]],
    ['calculated', [4, 4]],
  ] as const)('is nothing where no item moves (%s, %j)', async (kind, counts) => {
    expect(await priceOf(kind, counts)).toEqual({
      items: 1_000,
      movingItems: 0,
      readUnits: 0,
      writeUnits: 0,
      seconds: 0,
    })
  })

  it('is nothing for a table without items, or with a description without a size', async () => {
    const nothing = { items: 0, movingItems: 0, readUnits: 0, writeUnits: 0, seconds: 0 }
    expect(await priceOf('calculated', [2, 8], { description: { ItemCount: 0, TableSizeBytes: 0 } })).toEqual(
      nothing,
    )
    expect(await priceOf('calculated', [2, 8], { description: {} })).toEqual(nothing)
  })
})

it('The description of a table is empty if the service returns none.', async () => {
  const table = (output: object) =>
    ({ client: { send: async () => output }, options: { name: 'log' } }) as unknown as MovingTable
  expect(await describedTable(table({ Table: DESCRIPTION }))).toEqual(DESCRIPTION)
  expect(await describedTable(table({}))).toEqual({})
})
