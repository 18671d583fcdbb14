import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { fixedShards, IsothermError, isotherm } from 'isotherm'
import { expect, it } from 'vitest'
import { serviceErrorOf } from './service-error-of.js'

it('an answer names commands, because its reader need not know TypeScript', () => {
  const missing = new IsothermError(
    'shard-map.missing',
    "Create it once with ensureShardMap(client, { table: 'orders' }).",
    { table: 'orders', shardMap: 'orders_shard_map' },
  )
  expect(serviceErrorOf(missing).error.message).toBe(
    'isotherm: Create it once with isotherm shards create-table --table orders. (shard-map.missing)',
  )
})

it('an error that the library throws in the class of the service is marked as one of the library', async () => {
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  })
  const orders = {
    partitionKey: 'customer',
    sortKey: 'order_id',
    suffix: 'calculated',
    shards: fixedShards(2),
  } as const
  const db = isotherm(client, { tables: { orders } })
  const ofAnotherTable = new GetItemCommand({ TableName: 'orders', Key: { client: { S: 'acme' } } })
  const { error, isOurs } = serviceErrorOf(await db.send(ofAnotherTable).catch((thrown: unknown) => thrown))
  expect(error.name).toBe('ValidationException')
  expect(error.message).toMatch(/^isotherm: The request for orders has no customer, .* \(key\.missing\)$/)
  expect(isOurs).toBe(false)
  db.destroy()
})

it('a shard map that is missing is not asked for again by SDKs, because only a person can create it', () => {
  const missing = new IsothermError('shard-map.missing', 'The shard map does not exist.', {
    table: 'orders',
    shardMap: 'orders_shard_map',
  })
  const { error, isOurs } = serviceErrorOf(missing)
  expect([error.name, error.httpStatus]).toEqual(['ResourceNotFoundException', 400])
  expect(isOurs).toBe(true)
})
