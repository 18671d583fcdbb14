import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Item } from '@isotherm/advisor'
import { isDenied } from './endpoint-failure.js'
import { sampledScan } from './sampled-scan.js'
import { printable, type Terminal, writeLine } from './terminal.js'

/**
 * Items of a live table, with a line on standard error about the read units that they cost. Empty without the permission to scan, with a
 * line about that: the definition of the table is of use without its items.
 * @throws CommandError
 */
export async function sampledItems(
  client: DynamoDBClient,
  table: string,
  items: number,
  signal: AbortSignal,
  { err }: Terminal,
): Promise<readonly Item[]> {
  try {
    const sample = await sampledScan(client, { table, items, signal, err })
    writeLine(err, `isotherm: ${sample.items.length} items sampled for ${sample.readUnits} read units`)
    // The SDK has the same shape, and a member for types that it does not know yet.
    return sample.items as readonly Item[]
  } catch (error) {
    if (!isDenied(error)) throw error
    const { message } = error as Error
    writeLine(
      err,
      `isotherm: ${printable(message)} Only the definition is used; --sample 0 does not ask for items.`,
    )
    return []
  }
}
