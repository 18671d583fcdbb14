import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { createLocal } from '@isotherm/local'
import { expect, it } from 'vitest'
import { all, everyPage, memoryStore } from '../../../test/rotating-log.js'
import { isotherm } from '../../client/isotherm.js'
import { isotherm as isothermOfParts } from '../../client/isotherm-of-parts.js'
import { appends, queries, scans } from '../../client/parts.js'
import { ensureShardMap } from '../../protocol/index.js'
import { dynamicShards, fixedShards } from '../../scaling/shards.js'
import { ensureCatalog } from './ensure-catalog.js'
import { rotation } from './rotation.js'

const sharded = { partitionKey: 'file', sortKey: 'at', suffix: 'random' } as const

it.each(['isotherm', 'isotherm/core', 'a document client'])('it works with %s', async (name) => {
  const local = createLocal({ throttle: false })
  const client = local.client()
  await ensureCatalog(client, { table: 'log' })
  let now = Date.parse('2026-11-20T12:00:00Z')
  const clients = {
    isotherm: (table: string) =>
      isotherm(client, { tables: { [table]: { ...sharded, shards: dynamicShards({ initial: 3 }) } } }),
    'isotherm/core': (table: string) =>
      isothermOfParts(client, {
        parts: [appends, queries, scans],
        tables: { [table]: { ...sharded, shards: fixedShards(3) } },
      }),
    'a document client': (table: string) =>
      isotherm(DynamoDBDocumentClient.from(client), {
        tables: { [table]: { ...sharded, shards: fixedShards(3) } },
      }),
  }
  const opened = new Map<string, ReturnType<typeof clients.isotherm>>()
  const log = rotation(client, {
    table: 'log',
    partitionKey: 'file',
    sortKey: 'at',
    period: 'month',
    onTable: (table) => ensureShardMap(client, { table }),
    clientOf: (table) => {
      const db =
        opened.get(table) ?? (clients[name as 'isotherm'](table) as ReturnType<typeof clients.isotherm>)
      opened.set(table, db)
      return db
    },
    clock: {
      now: () => now,
      sleep: async (milliseconds) => {
        now += milliseconds
      },
    },
  })
  const times = [10, 11].flatMap((month) =>
    Array.from({ length: 10 }, (_, day) => new Date(Date.UTC(2026, month - 1, day + 1)).toISOString()),
  )
  for (const at of times) await log.put({ file: '/a', at })
  const query = { key: '/a', from: '2026-01-01', to: '2027-01-01', limit: 3 }
  expect((await everyPage(log, query)).flat()).toEqual(times)
  expect((await everyPage(log, { ...query, forward: false })).flat()).toEqual([...times].reverse())
  const { cursor = '' } = await log.query(query)
  const content = Buffer.from(cursor, 'base64url').toString().replace('{"file":["S","/a', '{"file":["S","/b')
  const foreign = Buffer.from(content).toString('base64url')
  await expect(log.query({ ...query, cursor: foreign })).rejects.toMatchObject({ code: 'rotation.cursor' })
  const store = memoryStore()
  expect(await log.archive('2026-10-01', { store })).toEqual({ items: 10 })
  // Items have their logical keys.
  expect(await all(log.readArchive('2026-10-01', { store }))).toContainEqual({ file: '/a', at: times[0] })
  await log.drop('2026-10-01', { store })
  expect((await everyPage(log, { ...query, skipDropped: true })).flat()).toEqual(times.slice(10))
  for (const db of opened.values()) db.destroy()
  await local.close()
})
