import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Engine, Feature } from './engine.js'
import { awsRegion, otherEndpoint, otherEndpointLacks } from './environment.js'

const REASONS: Record<Feature, string> = {
  transactions: 'the engine has no transactions',
  'local indexes': 'the engine has no local secondary indexes',
  'strict batches': 'the engine takes batches that the service refuses',
}

/** Another engine that speaks DynamoDB, such as ScyllaDB Alternator. */
export const otherEngine: Engine = {
  name: 'the engine at ISOTHERM_BEHAVIOUR_ENDPOINT',
  lacks: lacking(otherEndpointLacks ?? 'transactions'),
  ...(otherEndpoint === undefined ? { absent: 'ISOTHERM_BEHAVIOUR_ENDPOINT names no engine.' } : {}),
  async open() {
    const credentials = { accessKeyId: 'alternator', secretAccessKey: 'alternator' }
    const client = () =>
      new DynamoDBClient({ endpoint: otherEndpoint ?? '', region: 'us-east-1', credentials })
    return { client, keepsTables: true, close: async () => {} }
  },
}

/** The service itself, with the credentials that the SDK finds. */
export const amazonDynamoDb: Engine = {
  name: 'Amazon DynamoDB',
  lacks: {},
  ...(awsRegion === undefined ? { absent: 'ISOTHERM_BEHAVIOUR_AWS names no region.' } : {}),
  async open() {
    const client = () => new DynamoDBClient({ region: awsRegion ?? '' })
    return { client, keepsTables: true, close: async () => {} }
  },
}

function lacking(names: string): Engine['lacks'] {
  const listed = names.split(',').map((name) => name.trim())
  return Object.fromEntries(Object.entries(REASONS).filter(([feature]) => listed.includes(feature)))
}
