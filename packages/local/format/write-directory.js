// Stores a small data directory of this version of the format, which every later version has to open. One exists for each
// version, and none is ever written again: directories like it are on the disks of users.
//
//   npm run stored-directory       after FORMAT_VERSION was raised
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import {
  CreateTableCommand,
  DeleteItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { createLocal } from '@isotherm/local'
import { SeededRandom, SystemClock } from '@isotherm/runtime'
import { clockFrom, contentsOf, WRITTEN_AT } from './contents.js'

const directory = mkdtempSync(join(tmpdir(), 'isotherm-stored-'))
const local = createLocal({
  data: directory,
  clock: clockFrom(new SystemClock(), WRITTEN_AT),
  random: new SeededRandom(1),
})
const client = local.client()

async function createOrders() {
  const TableName = 'orders'
  await client.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: [
        { AttributeName: 'customer', AttributeType: 'S' },
        { AttributeName: 'order_id', AttributeType: 'S' },
        { AttributeName: 'status', AttributeType: 'S' },
        { AttributeName: 'placed', AttributeType: 'N' },
      ],
      KeySchema: [
        { AttributeName: 'customer', KeyType: 'HASH' },
        { AttributeName: 'order_id', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-status',
          KeySchema: [
            { AttributeName: 'status', KeyType: 'HASH' },
            { AttributeName: 'placed', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'by-time',
          KeySchema: [
            { AttributeName: 'customer', KeyType: 'HASH' },
            { AttributeName: 'placed', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      Tags: [{ Key: 'team', Value: 'shop' }],
    }),
  )
  const TimeToLiveSpecification = { AttributeName: 'expires', Enabled: true }
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }))
  const order = (customer, number, status) => ({
    customer: { S: customer },
    order_id: { S: `order-${number}` },
    status: { S: status },
    placed: { N: String(number) },
  })
  for (let number = 1; number <= 12; number++) {
    const Item = order(`customer-${number % 3}`, number, number % 2 === 0 ? 'open' : 'paid')
    await client.send(new PutItemCommand({ TableName, Item }))
  }
  const Key = { customer: { S: 'customer-1' }, order_id: { S: 'order-1' } }
  await client.send(
    new UpdateItemCommand({
      TableName,
      Key,
      UpdateExpression: 'SET #status = :status, expires = :expires',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':status': { S: 'sent' }, ':expires': { N: '4000000000' } },
    }),
  )
  const deleted = { customer: { S: 'customer-2' }, order_id: { S: 'order-2' } }
  await client.send(new DeleteItemCommand({ TableName, Key: deleted }))
  const puts = [20, 21].map((number) => ({ Put: { TableName, Item: order('customer-0', number, 'open') } }))
  await client.send(new TransactWriteItemsCommand({ TransactItems: puts }))
}

/** Keys of bytes and of numbers, keys longer than those of the database, and every type of attribute. */
async function createValues() {
  const TableName = 'values'
  await client.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: [
        { AttributeName: 'id', AttributeType: 'B' },
        { AttributeName: 'at', AttributeType: 'N' },
      ],
      KeySchema: [
        { AttributeName: 'id', KeyType: 'HASH' },
        { AttributeName: 'at', KeyType: 'RANGE' },
      ],
      ProvisionedThroughput: { ReadCapacityUnits: 7, WriteCapacityUnits: 11 },
    }),
  )
  const numbers = ['-1.5', '0', '0.000001', '12345678901234567890123456789012345678', '-9.9E+125']
  const long = new Uint8Array(2_048).fill(7)
  for (const [index, number] of numbers.entries()) {
    const id = index === 0 ? long : Uint8Array.of(index, 0, 255)
    const Item = {
      id: { B: id },
      at: { N: number },
      text: { S: 'Grüße, 東京 🙂' },
      bytes: { B: Uint8Array.of(0, 128, 255) },
      isOpen: { BOOL: true },
      nothing: { NULL: true },
      list: { L: [{ S: 'a' }, { N: '1' }, { M: { deep: { L: [] } } }] },
      map: { M: { 'a b': { S: '' }, é: { BOOL: false } } },
      texts: { SS: ['b', 'a'] },
      amounts: { NS: ['3', '-1', '2.50'] },
      keys: { BS: [Uint8Array.of(1), Uint8Array.of(2)] },
      body: { S: 'x'.repeat(index * 3_000) },
    }
    await client.send(new PutItemCommand({ TableName, Item }))
  }
}

try {
  await createOrders()
  await createValues()
  const streams = new DynamoDBStreamsClient({ ...local.connection() })
  const contents = await contentsOf(client, streams)
  await local.close()
  const stamp = readFileSync(join(directory, 'isotherm.json'), 'utf8')
  const { version } = JSON.parse(stamp)
  const folder = fileURLToPath(new URL(`version-${version}`, import.meta.url))
  if (existsSync(folder)) throw new Error(`${folder} exists. A stored directory is never written again.`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'isotherm.json'), stamp)
  const compressed = {
    'items.mdb': readFileSync(join(directory, 'items.mdb')),
    'contents.json': JSON.stringify(contents),
  }
  for (const [name, bytes] of Object.entries(compressed)) {
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  }
  console.log(folder)
} finally {
  rmSync(directory, { recursive: true })
}
