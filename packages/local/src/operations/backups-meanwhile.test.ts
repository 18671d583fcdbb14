import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { table } from '@isotherm/fixtures'
import { SystemClock } from '@isotherm/runtime'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EngineFixture, REGION } from '../engine/engine.fixture.js'
import { LmdbMap } from '../storage/lmdb/lmdb-map.js'
import { LmdbStorage } from '../storage/lmdb/lmdb-storage.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-backups-meanwhile-'))
afterAll(() => rmSync(folder, { recursive: true }))

const TableName = 'orders'
/** More than one portion of a copy. */
const ITEMS = 2_500

let count = 0
let fixture: EngineFixture
beforeEach(async () => {
  const storage = new LmdbStorage(join(folder, String(count++)))
  fixture = new EngineFixture({ storage, clock: new SystemClock(), throttle: false })
  await ask('CreateTable', table(TableName, ['id']))
  const orders = Array.from({ length: ITEMS }, (_, number) => `order-${number}`)
  await Promise.all(orders.map((id) => ask('PutItem', { TableName, Item: { id: { S: id } } })))
})
afterEach(() => fixture.engine.close())

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers without declaring their shapes.
const ask = async (operation: string, input: object): Promise<any> =>
  fixture.engine.execute(operation, input, REGION)

const begun = async () =>
  (await ask('CreateBackup', { TableName, BackupName: 'daily' })).BackupDetails.BackupArn
const described = async (BackupArn: string) =>
  (await ask('DescribeBackup', { BackupArn })).BackupDescription.BackupDetails
const available = (arn: string) =>
  expect.poll(() => described(arn), { interval: 5 }).toMatchObject({ BackupStatus: 'AVAILABLE' })

describe('while a backup is being created', () => {
  it('its table cannot be deleted', async () => {
    const arn = await begun()
    await expect(ask('DeleteTable', { TableName })).rejects.toMatchObject({ name: 'ResourceInUseException' })
    await available(arn)
    expect(
      (await ask('DescribeBackup', { BackupArn: arn })).BackupDescription.SourceTableDetails,
    ).toMatchObject({
      ItemCount: ITEMS,
    })
    await ask('DeleteTable', { TableName })
  })
})

describe('while a backup is being restored', () => {
  it('it cannot be deleted', async () => {
    const BackupArn = await begun()
    await available(BackupArn)
    await ask('RestoreTableFromBackup', { BackupArn, TargetTableName: 'restored' })
    await expect(ask('DeleteBackup', { BackupArn })).rejects.toMatchObject({ name: 'BackupInUseException' })
    const restored = async () => (await ask('DescribeTable', { TableName: 'restored' })).Table
    await expect.poll(restored, { interval: 5 }).toMatchObject({ TableStatus: 'ACTIVE', ItemCount: ITEMS })
    await ask('DeleteBackup', { BackupArn })
  })

  it('and cannot be read, its new table is removed', async () => {
    const BackupArn = await begun()
    await available(BackupArn)
    vi.spyOn(LmdbMap.prototype, 'range').mockImplementationOnce(() => {
      throw new Error('as if it were damaged')
    })
    await ask('RestoreTableFromBackup', { BackupArn, TargetTableName: 'restored' })
    const tables = async () => (await ask('ListTables', {})).TableNames
    await expect.poll(tables, { interval: 5 }).toEqual([TableName])
    await ask('DeleteBackup', { BackupArn })
  })
})
