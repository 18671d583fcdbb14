import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { table } from '@isotherm/fixtures'
import { SystemClock } from '@isotherm/runtime'
import { afterAll, describe, expect, it } from 'vitest'
import { EngineFixture, REGION } from '../engine/engine.fixture.js'
import { LmdbStorage } from '../storage/lmdb/lmdb-storage.js'

const UNITS = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }
const folder = mkdtempSync(join(tmpdir(), 'isotherm-backups-'))
afterAll(() => rmSync(folder, { recursive: true }))

const TableName = 'orders'
const order = (number: number, state: string) => ({
  TableName,
  Item: { id: { S: `order-${number}` }, state: { S: state } },
})
const ORDERS = table(TableName, ['id'], { global: { 'by-state': ['state', 'id'] } })

function filled(items = 10): EngineFixture {
  const fixture = new EngineFixture({ throttle: false })
  fixture.ask('CreateTable', ORDERS)
  for (let number = 0; number < items; number++) fixture.ask('PutItem', order(number, 'open'))
  return fixture
}

describe('a backup', () => {
  it('has times in milliseconds, although the clock of the engine is finer', () => {
    const fixture = new EngineFixture({ clock: new SystemClock() })
    fixture.ask('CreateTable', ORDERS)
    const { BackupDetails } = fixture.ask('CreateBackup', { TableName, BackupName: 'before' })
    const { BackupArn, BackupCreationDateTime } = BackupDetails
    const { SourceTableDetails } = fixture.ask('DescribeBackup', { BackupArn }).BackupDescription
    for (const time of [BackupCreationDateTime, SourceTableDetails.TableCreationDateTime]) {
      expect(String(time)).toMatch(/^\d{10}(\.\d{1,3})?$/)
    }
  })

  it('restores the encryption that its table had, or another one', () => {
    const fixture = new EngineFixture()
    fixture.ask('CreateTable', { ...ORDERS, SSESpecification: { Enabled: true, SSEType: 'KMS' } })
    const { BackupArn } = fixture.ask('CreateBackup', { TableName, BackupName: 'before' }).BackupDetails
    const restored = (TargetTableName: string, more: object) =>
      fixture.ask('RestoreTableFromBackup', { BackupArn, TargetTableName, ...more }).TableDescription
        .SSEDescription
    expect(restored('same', {})).toMatchObject({ Status: 'ENABLED', SSEType: 'KMS' })
    const KMSMasterKeyId = 'alias/mine'
    const mine = { SSESpecificationOverride: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId } }
    expect(restored('mine', mine).KMSMasterKeyArn).toContain(KMSMasterKeyId)
    expect(restored('plain', { SSESpecificationOverride: { Enabled: false } })).toBeUndefined()
  })

  it('is listed and described, and restores the items and indexes of its time', () => {
    const fixture = filled()
    const { BackupDetails } = fixture.ask('CreateBackup', { TableName, BackupName: 'before' })
    const { BackupArn } = BackupDetails
    expect(BackupDetails).toMatchObject({
      BackupName: 'before',
      BackupStatus: 'CREATING',
      BackupType: 'USER',
    })
    fixture.ask('PutItem', order(3, 'done'))
    fixture.ask('DeleteItem', { TableName, Key: { id: { S: 'order-4' } } })

    const { BackupDescription } = fixture.ask('DescribeBackup', { BackupArn })
    expect(BackupDescription).toMatchObject({
      BackupDetails: { BackupStatus: 'AVAILABLE' },
      SourceTableDetails: { TableName, ItemCount: 10 },
      SourceTableFeatureDetails: {
        GlobalSecondaryIndexes: [
          {
            IndexName: 'by-state',
            KeySchema: [
              { AttributeName: 'state', KeyType: 'HASH' },
              { AttributeName: 'id', KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'ALL' },
            ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
          },
        ],
      },
    })
    expect(fixture.ask('ListBackups', { TableName }).BackupSummaries).toMatchObject([
      { BackupArn, TableName },
    ])
    expect(fixture.ask('ListBackups', { TableName: 'others' }).BackupSummaries).toEqual([])

    const { TableDescription } = fixture.ask('RestoreTableFromBackup', {
      TargetTableName: 'restored',
      BackupArn,
    })
    expect(TableDescription).toMatchObject({
      TableName: 'restored',
      TableStatus: 'CREATING',
      RestoreSummary: { SourceBackupArn: BackupArn, RestoreInProgress: true },
    })
    expect(fixture.ask('DescribeTable', { TableName: 'restored' }).Table.RestoreSummary).toEqual({
      ...TableDescription.RestoreSummary,
      RestoreInProgress: false,
    })
    expect(fixture.ask('Scan', { TableName: 'restored' }).Count).toBe(10)
    const open = fixture.ask('Query', {
      TableName: 'restored',
      IndexName: 'by-state',
      KeyConditionExpression: '#s = :s',
      ExpressionAttributeNames: { '#s': 'state' },
      ExpressionAttributeValues: { ':s': { S: 'open' } },
    })
    expect(open.Count).toBe(10)
    fixture.ask('PutItem', { TableName: 'restored', Item: { id: { S: 'new' } } })

    expect(fixture.ask('DeleteBackup', { BackupArn }).BackupDescription.BackupDetails.BackupStatus).toBe(
      'DELETED',
    )
    expect(fixture.failure('DescribeBackup', { BackupArn })).toBe(
      `BackupNotFoundException: Backup not found: ${BackupArn}`,
    )
  })

  it.each<[string, object, string]>([
    ['DescribeBackup', { BackupArn: 'x'.repeat(40) }, 'Invalid Backup ARN'],
    [
      'RestoreTableFromBackup',
      { BillingModeOverride: 'PROVISIONED' },
      'Invalid Request: Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED',
    ],
    [
      'RestoreTableFromBackup',
      { BillingModeOverride: 'PAY_PER_REQUEST', ProvisionedThroughputOverride: UNITS },
      'Invalid Request: Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST',
    ],
    [
      'RestoreTableFromBackup',
      { ProvisionedThroughputOverride: UNITS },
      'Invalid Request: Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED',
    ],
    [
      'ListBackups',
      { TimeRangeLowerBound: 5, TimeRangeUpperBound: 3 },
      'One or more parameter values were invalid: Time range lower bound must be less than or equal to upper bound',
    ],
  ])('refuses as the service does: %s %o', (operation, input, text) => {
    const fixture = filled()
    const { BackupArn } = fixture.ask('CreateBackup', { TableName, BackupName: 'now' }).BackupDetails
    const request = operation === 'ListBackups' ? input : { BackupArn, TargetTableName: 'again', ...input }
    expect(fixture.failure(operation, request)).toBe(`ValidationException: ${text}`)
  })

  it('restores global indexes in another billing mode with the throughput of their table', () => {
    const fixture = new EngineFixture()
    const OnDemandThroughput = { MaxReadRequestUnits: 50, MaxWriteRequestUnits: 50 }
    const [byState] = ORDERS.GlobalSecondaryIndexes ?? []
    fixture.ask('CreateTable', {
      ...ORDERS,
      OnDemandThroughput,
      GlobalSecondaryIndexes: [{ ...byState, OnDemandThroughput }],
    })
    const restored = (from: string, TargetTableName: string, more: object) => {
      const { BackupArn } = fixture.ask('CreateBackup', { TableName: from, BackupName: 'now' }).BackupDetails
      return fixture.ask('RestoreTableFromBackup', { BackupArn, TargetTableName, ...more }).TableDescription
    }
    const provisioned = restored(TableName, 'provisioned', {
      BillingModeOverride: 'PROVISIONED',
      ProvisionedThroughputOverride: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 },
    })
    for (const each of [provisioned, ...provisioned.GlobalSecondaryIndexes]) {
      expect(each.ProvisionedThroughput).toMatchObject({ ReadCapacityUnits: 5, WriteCapacityUnits: 6 })
      expect(each.OnDemandThroughput).toBeUndefined()
    }
    const open = {
      IndexName: 'by-state',
      KeyConditionExpression: '#s = :s',
      ExpressionAttributeNames: { '#s': 'state' },
      ExpressionAttributeValues: { ':s': { S: 'open' } },
    }
    expect(fixture.ask('Query', { TableName: 'provisioned', ...open }).Count).toBe(0)

    const onDemand = restored('provisioned', 'on-demand', { BillingModeOverride: 'PAY_PER_REQUEST' })
    for (const each of [onDemand, ...onDemand.GlobalSecondaryIndexes]) {
      expect(each.ProvisionedThroughput).toMatchObject({ ReadCapacityUnits: 0, WriteCapacityUnits: 0 })
    }
    const same = restored(TableName, 'same', {})
    for (const each of [same, ...same.GlobalSecondaryIndexes]) {
      expect(each.OnDemandThroughput).toEqual(OnDemandThroughput)
    }
  })

  it('is not restored with more throughput than a table may have', () => {
    const fixture = filled()
    const { BackupArn } = fixture.ask('CreateBackup', { TableName, BackupName: 'before' }).BackupDetails
    const restore = {
      BackupArn,
      TargetTableName: 'large',
      BillingModeOverride: 'PROVISIONED',
      ProvisionedThroughputOverride: { ReadCapacityUnits: 5, WriteCapacityUnits: 40_001 },
    }
    expect(fixture.failure('RestoreTableFromBackup', restore)).toBe(
      'LimitExceededException: Subscriber limit exceeded: Throughput of a table or index is limited to 40000 units per second. Requested: 40001',
    )
    expect(fixture.ask('ListTables', {}).TableNames).toEqual([TableName])
  })

  it('is listed by the time of its creation, which is a number or a date', () => {
    const fixture = filled(1)
    fixture.ask('CreateBackup', { TableName, BackupName: 'one' })
    const seconds = fixture.clock.now() / 1000
    const listed = (input: object) => fixture.ask('ListBackups', input).BackupSummaries.length
    for (const time of [(at: number) => at, (at: number) => new Date(at * 1000)]) {
      expect(listed({ TimeRangeLowerBound: time(seconds), TimeRangeUpperBound: time(seconds + 1) })).toBe(1)
      expect(listed({ TimeRangeLowerBound: time(seconds + 1) })).toBe(0)
      expect(listed({ TimeRangeUpperBound: time(seconds) })).toBe(0)
    }
    expect(fixture.failure('ListBackups', { TimeRangeLowerBound: 'today' })).toBe(
      'SerializationException: TimeRangeLowerBound must be a number of seconds since 1970',
    )
  })

  it('is listed once, although the last one of the page before has been deleted', () => {
    const fixture = filled(1)
    const arns = ['one', 'two', 'three'].map((BackupName) => {
      fixture.clock.advance(10)
      return fixture.ask('CreateBackup', { TableName, BackupName }).BackupDetails.BackupArn
    })
    const { LastEvaluatedBackupArn: ExclusiveStartBackupArn } = fixture.ask('ListBackups', { Limit: 2 })
    expect(ExclusiveStartBackupArn).toBe(arns[1])
    fixture.ask('DeleteBackup', { BackupArn: arns[1] })
    const { BackupSummaries } = fixture.ask('ListBackups', { ExclusiveStartBackupArn })
    expect(BackupSummaries).toMatchObject([{ BackupName: 'three' }])
  })

  it('outlives its table, and the process', () => {
    const fixture = filled()
    const { BackupArn } = fixture.ask('CreateBackup', { TableName, BackupName: 'before' }).BackupDetails
    fixture.ask('DeleteTable', { TableName })
    fixture.restart()
    fixture.ask('RestoreTableFromBackup', { TargetTableName: TableName, BackupArn })
    expect(fixture.ask('Scan', { TableName }).Count).toBe(10)
  })

  it('is refused without a table, and into a table that exists', () => {
    const fixture = filled()
    expect(fixture.failure('CreateBackup', { TableName: 'nothing', BackupName: 'one' })).toBe(
      'TableNotFoundException: Table not found: nothing',
    )
    const { BackupArn } = fixture.ask('CreateBackup', { TableName, BackupName: 'one' }).BackupDetails
    expect(fixture.failure('RestoreTableFromBackup', { TargetTableName: TableName, BackupArn })).toBe(
      `TableAlreadyExistsException: Table already exists: ${TableName}`,
    )
  })

  it('of a large table on disk is complete later, as is the table restored from it', async () => {
    const directory = join(folder, 'data')
    const clock = new SystemClock()
    const { engine } = new EngineFixture({ storage: new LmdbStorage(directory), clock, throttle: false })
    const ask = async (operation: string, input: object) =>
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers without declaring their shapes.
      (await engine.execute(operation, input, REGION)) as any
    await ask('CreateTable', ORDERS)
    await Promise.all(Array.from({ length: 1_500 }, (_, number) => ask('PutItem', order(number, 'open'))))
    const { BackupArn } = (await ask('CreateBackup', { TableName, BackupName: 'large' })).BackupDetails
    const status = async () =>
      (await ask('DescribeBackup', { BackupArn })).BackupDescription.BackupDetails.BackupStatus
    expect(await status()).toBe('CREATING')
    while ((await status()) !== 'AVAILABLE') await new Promise(setImmediate)
    await ask('RestoreTableFromBackup', { TargetTableName: 'restored', BackupArn })
    const restored = async () => (await ask('DescribeTable', { TableName: 'restored' })).Table
    expect((await restored()).TableStatus).toBe('CREATING')
    while ((await restored()).TableStatus !== 'ACTIVE') await new Promise(setImmediate)
    const { ItemCount, GlobalSecondaryIndexes } = await restored()
    expect([ItemCount, GlobalSecondaryIndexes[0].ItemCount]).toEqual([1_500, 1_500])
    await engine.close()
    const again = new EngineFixture({ storage: new LmdbStorage(directory), throttle: false })
    const { Table } = (await again.engine.execute('DescribeTable', { TableName: 'restored' }, REGION)) as {
      Table: object
    }
    expect(Table).toMatchObject({ TableStatus: 'ACTIVE', ItemCount: 1_500 })
    await again.engine.close()
  })
})
