import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addIndex, table } from '@isotherm/fixtures'
import { SystemClock } from '@isotherm/runtime'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Database } from '../storage/lmdb/database.js'
import { LmdbStorage } from '../storage/lmdb/lmdb-storage.js'
import { EngineFixture, REGION } from './engine.fixture.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-durable-reset-'))
afterAll(() => rmSync(folder, { recursive: true }))

const TableName = 'orders'
const ORDERS = table(TableName, ['id'])
const BACKUP = { TableName, BackupName: 'daily' }

let count = 0
let fixture: EngineFixture
beforeEach(() => {
  const storage = new LmdbStorage(join(folder, String(count++)))
  fixture = new EngineFixture({ storage, clock: new SystemClock(), throttle: false })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await fixture.engine.close()
})

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers without declaring their shapes.
const ask = async (operation: string, input: object): Promise<any> =>
  fixture.engine.execute(operation, input, REGION)

async function withOrder(): Promise<void> {
  await ask('CreateTable', ORDERS)
  await ask('PutItem', { TableName, Item: { id: { S: '1' }, state: { S: 'open' } } })
}

describe('after a reset, an engine with data on disk', () => {
  it('fills new indexes', async () => {
    await fixture.engine.reset()
    await withOrder()
    await ask('UpdateTable', addIndex(TableName, 'by-state', ['state']))
    const index = async () => (await ask('DescribeTable', { TableName })).Table.GlobalSecondaryIndexes[0]
    await expect.poll(index, { interval: 5 }).toMatchObject({ IndexStatus: 'ACTIVE', ItemCount: 1 })
  })

  it('has no backups, and completes and restores new ones', async () => {
    await withOrder()
    await ask('CreateBackup', BACKUP)
    await fixture.engine.reset()
    expect((await ask('ListBackups', {})).BackupSummaries).toEqual([])

    await withOrder()
    const { BackupArn } = (await ask('CreateBackup', BACKUP)).BackupDetails
    const statuses = async () => {
      const { BackupSummaries } = await ask('ListBackups', {})
      return BackupSummaries.map(({ BackupStatus }: { BackupStatus: string }) => BackupStatus)
    }
    await expect.poll(statuses, { interval: 5 }).toEqual(['AVAILABLE'])
    await ask('RestoreTableFromBackup', { BackupArn, TargetTableName: 'restored' })
    const status = async () => (await ask('DescribeTable', { TableName: 'restored' })).Table.TableStatus
    await expect.poll(status, { interval: 5 }).toBe('ACTIVE')
    expect((await ask('Scan', { TableName: 'restored' })).Count).toBe(1)
  })

  it('keeps what is written before the reset is on the disk', async () => {
    await withOrder()
    const reset = fixture.engine.reset()
    const made = ask('CreateTable', ORDERS)
    await Promise.all([reset, made])
    await ask('PutItem', { TableName, Item: { id: { S: '2' } } })
    expect((await ask('Scan', { TableName })).Items).toEqual([{ id: { S: '2' } }])
  })

  it('has everything again if the reset could not be written', async () => {
    await withOrder()
    await ask('CreateBackup', BACKUP)
    vi.spyOn(Database.prototype, 'commit').mockRejectedValueOnce(new Error('as if the disk were full'))
    const reset = fixture.engine.reset()
    await expect(reset).rejects.toThrow('as if the disk were full')
    expect((await ask('Scan', { TableName })).Count).toBe(1)
    await ask('UpdateTable', addIndex(TableName, 'by-state', ['state']))
    const index = async () => (await ask('DescribeTable', { TableName })).Table.GlobalSecondaryIndexes[0]
    await expect.poll(index, { interval: 5 }).toMatchObject({ IndexStatus: 'ACTIVE', ItemCount: 1 })
  })
})
