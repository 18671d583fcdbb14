import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import type { Random } from '@isotherm/runtime'
import type { Engine } from '../engine/engine.js'
import { connectionTo } from './connection.js'
import { installDirectLane } from './direct-lane.js'
import { loadSdk } from './load-sdk.js'

/** A client that has the engine where others have a network. */
export function inProcessClient(
  engine: Engine,
  region: string,
  random: Random,
  config: DynamoDBClientConfig,
  onBug: (error: unknown) => void,
): DynamoDBClient {
  const settings = { ...connectionTo(engine, region, random, onBug, config), ...config }
  const sdk = loadSdk()
  const client = new sdk.DynamoDBClient(settings)
  // A region that is still to be found out is asked for with every request; it is known in nearly all cases.
  installDirectLane(
    client,
    engine,
    typeof settings.region === 'string' ? settings.region : client.config.region,
  )
  return client
}
