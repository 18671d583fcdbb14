import { CreateTableCommand, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal, type Local } from '@isotherm/local'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isotherm } from '../../client/isotherm.js'
import { dynamicShards, fixedShards } from '../../scaling/shards.js'
import { defineDirectory, directory, directoryTable } from './index.js'

const definition = defineDirectory({
  table: 'contacts',
  fields: { name: { required: true, search: 'substring' } },
})

let local: Local
let client: DynamoDBClient
beforeEach(() => {
  local = createLocal({ throttle: false, metrics: false })
  client = local.client({ maxAttempts: 1 })
})
afterEach(() => local.close())

/** The functions that may be the first of a process. */
const CALLS = {
  create: (db) => directory(db, definition).tenant('acme').create({ name: 'Anna' }),
  search: (db) => directory(db, definition).tenant('acme').search('anna'),
  list: (db) => directory(db, definition).tenant('acme').list(),
  import: (db) =>
    directory(db, definition)
      .tenant('acme')
      .import([{ id: 'a', fields: { name: 'Anna' } }]),
  check: (db) => directory(db, definition).check({ repair: true }),
} satisfies Record<string, (db: DynamoDBClient) => Promise<unknown>>

const stored = async () => (await client.send(new ScanCommand({ TableName: 'contacts' }))).Count

it.each(Object.entries(CALLS))('%s refuses a table that does not exist', async (_name, call) => {
  await expect(call(client)).rejects.toMatchObject({ code: 'table.missing', details: { table: 'contacts' } })
})

it.each(Object.entries(CALLS))('%s refuses a table with other keys', async (_name, call) => {
  await client.send(createTable('contacts', ['pk', 'sk']))
  await expect(call(client)).rejects.toMatchObject({
    code: 'table.differs',
    message: expect.stringContaining("Set directory.names.id: 'pk'"),
  })
  expect(await stored()).toBe(0)
})

it.each(Object.entries(CALLS))('%s refuses a table without the index', async (_name, call) => {
  await client.send(createTable('contacts', ['ID', 'DataType']))
  await expect(call(client)).rejects.toMatchObject({
    code: 'table.no-index',
    message: expect.stringContaining('directoryTable(definition)'),
  })
  expect(await stored()).toBe(0)
})

it('takes nothing out of an index that the library shards, when it is checked through a plain client', async () => {
  await client.send(
    new CreateTableCommand(directoryTable(definition, { indexPartitionKey: 'isotherm_search' })),
  )
  await client.send(createTable('contacts_shard_map', ['ID']))
  const sharded = isotherm(client, {
    tables: {
      contacts: {
        partitionKey: 'ID',
        sortKey: 'DataType',
        suffix: 'calculated',
        shards: dynamicShards(),
        indexes: { search: { partitionKey: 'SearchType', sortKey: 'SearchValue', shards: fixedShards(3) } },
      },
    },
  })
  await directory(sharded, definition).tenant('acme').create({ name: 'Anna' }, { id: 'a' })
  const before = await stored()
  await expect(directory(client, definition).check({ repair: true })).rejects.toMatchObject({
    code: 'table.no-index',
    message: expect.stringContaining('use the client that isotherm() returned'),
  })
  expect(await stored()).toBe(before)
  expect(await directory(sharded, definition).check()).toMatchObject({ missing: 0 })
})
