import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import type { Random } from '@isotherm/runtime'
import type { Engine } from '../engine/engine.js'
import { connectionTo } from './connection.js'
import { installDirectLane } from './direct-lane.js'
import { loadSdk } from './load-sdk.js'

/** A client that is served by the engine in this process. */
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
  // The region is known in nearly all cases. When it must be resolved, that happens for every request.
  installDirectLane(client, engine, {
    region: typeof settings.region === 'string' ? settings.region : client.config.region,
    hasLogger: config.logger !== undefined,
  })
  return client
}
