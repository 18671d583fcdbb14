import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { IsothermError, optionsOnCard } from 'isotherm'
import { isDenied } from '../endpoint-failure.js'

/** How the card of a table says that it is sharded: with plain keys for the first shards, or with a suffix on each key. */
export type AdoptedState = 'adopted' | 'suffixed'

/**
 * Reads the card of a table. `undefined` without one, and if it cannot be read: a check of keys needs no permission for the shard map.
 * @throws the SDK's errors
 */
export async function adoptedState(client: DynamoDBClient, table: string): Promise<AdoptedState | undefined> {
  try {
    const options = await optionsOnCard(client, { table })
    return options && (options.adopt ? 'adopted' : 'suffixed')
  } catch (error) {
    if (error instanceof IsothermError || isDenied(error)) return undefined
    throw error
  }
}
