import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { IsothermError, optionsOnCard } from 'isotherm'
import { isDenied } from '../endpoint-failure.js'

/** How the card of a table says that it is sharded. */
export interface AdoptedState {
  /** Whether the first shards have plain keys. Otherwise each key has a suffix. */
  readonly isAdopted: boolean
  readonly delimiter: string
}

/**
 * Reads the card of a table. `undefined` without one, and if it cannot be read: a check of keys needs no permission for the shard map.
 * @throws the SDK's errors
 */
export async function adoptedState(client: DynamoDBClient, table: string): Promise<AdoptedState | undefined> {
  try {
    const options = await optionsOnCard(client, { table })
    return options && { isAdopted: options.adopt === true, delimiter: options.delimiter ?? '_' }
  } catch (error) {
    if (error instanceof IsothermError || isDenied(error)) return undefined
    throw error
  }
}
