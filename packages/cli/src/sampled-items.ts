import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Item } from '@isotherm/advisor'
import { sampledScan } from './sampled-scan.js'
import { type Terminal, writeLine } from './terminal.js'

/** Items of a live table, with a word on standard error about the read units that they cost. */
export async function sampledItems(
  client: DynamoDBClient,
  table: string,
  items: number,
  signal: AbortSignal,
  { err }: Terminal,
): Promise<readonly Item[]> {
  const sample = await sampledScan(client, { table, items, signal })
  writeLine(err, `isotherm: ${sample.items.length} items sampled for ${sample.readUnits} read units`)
  // The SDK has the same shape, and a member for types that it does not know yet.
  return sample.items as readonly Item[]
}
