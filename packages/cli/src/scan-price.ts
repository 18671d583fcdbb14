import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { grouped, units } from './presentation/figures.js'
import { printable } from './terminal.js'

/** What it costs to read a whole table once. The service counts items and bytes about every six hours. */
export interface ScanPrice {
  readonly table: string
  readonly items: number
  readonly readUnits: number
  readonly seconds: number
}

export interface ScanPriceOptions {
  readonly table: string
  /** Read units a second. */
  readonly rate: number
  readonly isConsistent: boolean
}

const READ_UNIT_BYTES = 4_096

/** @throws the SDK's errors */
export async function scanPrice(
  client: DynamoDBClient,
  { table, rate, isConsistent }: ScanPriceOptions,
): Promise<ScanPrice> {
  const { Table = {} } = await client.send(new DescribeTableCommand({ TableName: table }))
  const { ItemCount: items = 0, TableSizeBytes: bytes = 0 } = Table
  const readUnits = Math.ceil(bytes / READ_UNIT_BYTES) * (isConsistent ? 1 : 0.5)
  return { table, items, readUnits, seconds: Math.ceil(readUnits / rate) }
}

/** The price in a sentence. */
export function scanPriceText({ table, items, readUnits, seconds }: ScanPrice): string {
  return `${printable(table)}: about ${grouped(items)} items to read, ${units(readUnits)} read units and ${grouped(seconds)} s.`
}
