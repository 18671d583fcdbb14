import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addIndex, table } from '@isotherm/fixtures'
import { type Clock, SystemClock, VirtualClock } from '@isotherm/runtime'
import { afterAll, expect, it } from 'vitest'
import { salvageDirectory } from '../salvage/salvage-directory.js'
import { verifyDirectory } from '../salvage/verify-directory.js'
import { LmdbStorage } from '../storage/lmdb/lmdb-storage.js'
import { EngineFixture, REGION } from './engine.fixture.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-entry-counts-'))
afterAll(() => rmSync(folder, { recursive: true }))

const TableName = 'orders'
const DAY = 24 * 3_600_000
/** More than a filling, or a sweep, takes at once. */
const ITEMS = 1_500
/** Longer than a row's key, and than the value of an index key may be. */
const LONG = 'x'.repeat(2_040)

let count = 0
let directory: string
let fixture: EngineFixture
const open = (path: string, clock: Clock = new SystemClock()) => {
  directory = path
  fixture = new EngineFixture({ storage: new LmdbStorage(path), clock, throttle: false })
}
const openNew = (clock?: Clock) => open(join(folder, String(count++)), clock)

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers without declaring their shapes.
const ask = async (operation: string, input: object): Promise<any> =>
  fixture.engine.execute(operation, input, REGION)

const idOf = (number: number) => ({ id: { S: `${number}-${LONG}` } })
const ends = { N: '4000000000' }
const put = (number: number) =>
  ask('PutItem', { TableName, Item: { ...idOf(number), state: { S: 'open' }, ends } })
const remove = (number: number) => ask('DeleteItem', { TableName, Key: idOf(number) })
const all = (each: (number: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: ITEMS }, (_, number) => each(number)))

/** What is wrong with the directory once its engine is closed. */
async function damage(): Promise<object> {
  await fixture.engine.close()
  return (await verifyDirectory(directory)).damage
}

it('counts records of a stream once that two writes want to remove', async () => {
  const clock = new VirtualClock()
  openNew(clock)
  await ask('CreateTable', {
    ...table(TableName, ['id']),
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  })
  await all(put)
  clock.advance(DAY + 1_000)
  await Promise.all([remove(0), remove(1)])
  expect(await damage()).toEqual([])
})

it('counts items once that are deleted before time to live has found them', async () => {
  openNew()
  await ask('CreateTable', table(TableName, ['id']))
  await all(put)
  const enabled = ask('UpdateTimeToLive', {
    TableName,
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'ends' },
  })
  await all(remove)
  await enabled
  expect(await damage()).toEqual([])
})

it('counts items once that are deleted before the index of a salvaged directory has them', async () => {
  openNew()
  await ask('CreateTable', table(TableName, ['id'], { global: { 'by-state': ['state'] } }))
  await all(put)
  await fixture.engine.close()
  const salvaged = `${directory}-salvaged`
  await salvageDirectory(directory, salvaged)
  open(salvaged)
  await all(remove)
  expect(await damage()).toEqual([])
})

it('changes restored items that their index does not take', async () => {
  openNew()
  await ask('CreateTable', table(TableName, ['id']))
  await ask('PutItem', { TableName, Item: { id: { S: '1' }, state: { S: LONG.repeat(2) } } })
  await ask('UpdateTable', addIndex(TableName, 'by-state', ['state']))
  const { BackupArn } = (await ask('CreateBackup', { TableName, BackupName: 'daily' })).BackupDetails
  await expect
    .poll(() => ask('DescribeBackup', { BackupArn }))
    .toMatchObject({ BackupDescription: { BackupDetails: { BackupStatus: 'AVAILABLE' } } })
  const TargetTableName = 'restored'
  await ask('RestoreTableFromBackup', { BackupArn, TargetTableName })
  await expect
    .poll(() => ask('DescribeTable', { TableName: TargetTableName }))
    .toMatchObject({ Table: { TableStatus: 'ACTIVE' } })
  await ask('DeleteItem', { TableName: TargetTableName, Key: { id: { S: '1' } } })
  expect((await ask('Scan', { TableName: TargetTableName })).Count).toBe(0)
  expect(await damage()).toEqual([])
})
