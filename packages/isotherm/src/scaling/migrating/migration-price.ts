import { DescribeTableCommand, type TableDescription } from '@aws-sdk/client-dynamodb'
import type { MovingTable } from '../../protocol/index.js'
import type { MoveCostReader } from '../coming-down/move-costs.js'

/** What a change of the initial count costs, at most, without the keys that have a count of their own. */
export interface MigrationPrice {
  /** The items of the table. The service counts them about every six hours. */
  readonly items: number
  /** How many of them have to move, if their keys have no count of their own. */
  readonly movingItems: number
  /** The read units of the pass over the table. 0 if no item has to move. */
  readonly readUnits: number
  /** The write units of the moves, indexes and replicas in other regions included. */
  readonly writeUnits: number
  /** The time in seconds at `unitsPerSecond`, besides the waits. By default the rate varies, and this is the time at 100 units. */
  readonly seconds: number
}

const READ_UNIT_BYTES = 4_096
const WRITE_UNIT_BYTES = 1_024
/** A rate that follows the spare capacity begins with so many units. */
const FIRST_UNITS_PER_SECOND = 100

export interface MigrationPriceOptions {
  readonly from: number
  readonly to: number
  readonly description: TableDescription
  readonly costs: MoveCostReader
  readonly unitsPerSecond: number | undefined
}

export async function migrationPrice(
  { placementKind }: MovingTable,
  { from, to, description, costs, unitsPerSecond }: MigrationPriceOptions,
): Promise<MigrationPrice> {
  const { ItemCount: items = 0, TableSizeBytes = 0 } = description
  const share = movingShare(placementKind === 'calculated', from, to)
  if (share === 0) return { items, movingItems: 0, readUnits: 0, writeUnits: 0, seconds: 0 }
  const { unitsPerKilobyte } = await costs.read()
  const movingItems = Math.round(items * share)
  const kilobytes = items === 0 ? 0 : Math.ceil(TableSizeBytes / items / WRITE_UNIT_BYTES)
  const readUnits = Math.ceil(TableSizeBytes / READ_UNIT_BYTES)
  const writeUnits = movingItems * kilobytes * unitsPerKilobyte
  const seconds = Math.ceil((readUnits + writeUnits) / (unitsPerSecond ?? FIRST_UNITS_PER_SECOND))
  return { items, movingItems, readUnits, writeUnits, seconds }
}

export async function describedTable({ client, options }: MovingTable): Promise<TableDescription> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: options.name }))
  return Table ?? {}
}

/** With jump hashing, no more items move than have to. Random keys that grow move none. */
function movingShare(isCalculated: boolean, from: number, to: number): number {
  if (to < from) return (from - to) / from
  return isCalculated ? (to - from) / to : 0
}
