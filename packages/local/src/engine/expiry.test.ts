import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { table } from '@isotherm/fixtures'
import { afterAll, expect, it } from 'vitest'
import { LmdbStorage } from '../storage/lmdb/lmdb-storage.js'
import { EngineFixture, REGION } from './engine.fixture.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-expiry-'))
afterAll(() => rmSync(folder, { recursive: true }))

const TableName = 'things'
const ITEMS = 1_000

it('removes a hundred expired items with each request, also while earlier removals are not on the disk yet', async () => {
  const fixture = new EngineFixture({ storage: new LmdbStorage(join(folder, 'data')), throttle: false })
  const { engine, clock } = fixture
  const ask = (operation: string, input: object) => engine.execute(operation, input, REGION)
  await ask('CreateTable', table(TableName, ['id']))
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ends' }
  await ask('UpdateTimeToLive', { TableName, TimeToLiveSpecification })
  const ends = { N: String(Math.floor(clock.now() / 1000) + 10) }
  await Promise.all(
    Array.from({ length: ITEMS }, (_, number) =>
      ask('PutItem', { TableName, Item: { id: { S: `thing-${number}` }, ends } }),
    ),
  )
  clock.advance(11_000)
  // All of these requests come before anything is durable again.
  const answers = Array.from({ length: ITEMS / 100 }, () => ask('ListTables', {}))
  await Promise.all(answers)
  const { Table } = (await ask('DescribeTable', { TableName })) as { Table: { ItemCount: number } }
  expect(Table.ItemCount).toBe(0)
  await engine.close()
})
