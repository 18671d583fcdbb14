import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

it('removes a few expired items with each request if they are large', () => {
  const fixture = new EngineFixture({ throttle: false })
  fixture.ask('CreateTable', table(TableName, ['id']))
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ends' }
  fixture.ask('UpdateTimeToLive', { TableName, TimeToLiveSpecification })
  const ends = { N: String(Math.floor(fixture.clock.now() / 1000) + 10) }
  for (let number = 0; number < 20; number++) {
    const Item = { id: { S: `thing-${number}` }, ends, text: { S: 'x'.repeat(100_000) } }
    fixture.ask('PutItem', { TableName, Item })
  }
  fixture.clock.advance(11_000)
  const left = () => fixture.ask('DescribeTable', { TableName }).Table.ItemCount
  expect([left(), left()]).toEqual([17, 14])
  for (let request = 0; request < 5; request++) left()
  expect(left()).toBe(0)
})

it('does not refuse requests because an expired item of another table is damaged', async () => {
  const data = join(folder, 'damaged')
  const first = new EngineFixture({ storage: new LmdbStorage(data), throttle: false })
  const ask = (operation: string, input: object, { engine } = first) =>
    engine.execute(operation, input, REGION)
  for (const name of [TableName, 'intact']) await ask('CreateTable', table(name, ['id']))
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ends' }
  await ask('UpdateTimeToLive', { TableName, TimeToLiveSpecification })
  const ends = { N: String(Math.floor(first.clock.now() / 1000) + 10) }
  for (const id of ['one', 'two']) await ask('PutItem', { TableName: 'intact', Item: { id: { S: id } } })
  await ask('PutItem', { TableName, Item: { id: { S: 'one' }, ends, text: { S: 'the text of the item' } } })
  await first.engine.close()
  const file = join(data, 'items.mdb')
  const bytes = readFileSync(file)
  bytes.write('X', bytes.lastIndexOf('the text of the item'))
  writeFileSync(file, bytes)

  const failures: Error[] = []
  const storage = new LmdbStorage(data, { onFailure: (error) => failures.push(error) })
  const second = new EngineFixture({ storage, throttle: false })
  second.clock.advance(11_000)
  const Key = { id: { S: 'one' } }
  for (let request = 0; request < 2; request++) {
    expect(await ask('GetItem', { TableName: 'intact', Key }, second)).toMatchObject({ Item: Key })
    await ask('PutItem', { TableName: 'intact', Item: Key }, second)
  }
  expect(failures).toEqual([expect.objectContaining({ code: 'storage.damaged' })])
  await second.engine.close()
})
