import type { BillingMode, Throughput } from '../capacity/throughput.js'
import type { BackupState } from '../catalog/backups.js'
import { invalidParameters, ServiceError, validationException } from '../errors/service-error.js'
import { afterwards } from '../storage/afterwards.js'
import { parseTableArn } from '../table/table-arn.js'
import type { IndexDefinition, TableDefinition } from '../table/table-definition.js'
import { ENCRYPTION, type EncryptionInput, encryptionOf } from '../validation/encryption-input.js'
import { TABLE, TABLE_NAME } from '../validation/members.js'
import {
  BILLING_MODE,
  OF_NEW_TABLE,
  THROUGHPUT,
  type ThroughputInput,
  throughputOf,
} from '../validation/throughput-input.js'
import { TIME, timeOf } from '../validation/time-input.js'
import { checkChangesAtOnce } from './changes-at-once.js'
import { epochSeconds } from './epoch-seconds.js'
import { checkTableQuota } from './new-table.js'
import { controlledTable, defineOperation, type OperationContext, ownTableName } from './operation.js'
import {
  describeEncryption,
  describeKeySchema,
  describeOnDemandMaximum,
  describeProjection,
  describeTable,
} from './table-description.js'
import { checkAccountQuota } from './throughput-quotas.js'

/** On-demand backups. Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateBackup.html */

const BACKUP_ARN = { type: 'string', length: { min: 37, max: 1024 }, required: true } as const
const BACKUP_ARN_FORMAT =
  /^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[a-zA-Z0-9_.-]{3,255}\/backup\/[\w-]+$/
const BY_ARN = { type: 'structure', members: { BackupArn: BACKUP_ARN } } as const
const COUNT = { type: 'integer', value: { min: 1, max: 100 } } as const
const MAX_LISTED = 100

interface ByArn {
  readonly BackupArn: string
}

export const createBackup = defineOperation<{ readonly TableName: string; readonly BackupName: string }>(
  {
    type: 'structure',
    members: {
      TableName: { ...TABLE, required: true },
      BackupName: { ...TABLE_NAME, required: true },
    },
  },
  (input, context) => {
    const { catalog, region, backups } = context
    const name = parseTableArn(input.TableName)?.name ?? input.TableName
    if (catalog.get(region, name) === undefined) {
      throw new ServiceError('TableNotFoundException', `Table not found: ${name}`)
    }
    const table = controlledTable(context, input.TableName)
    if (table.status !== 'ACTIVE') {
      throw new ServiceError('TableInUseException', `Table is being created or changed: ${name}`)
    }
    return afterwards(backups.create(table, input.BackupName), (backup) => ({
      BackupDetails: details(backup, 'CREATING'),
    }))
  },
)

export const describeBackup = defineOperation<ByArn>(BY_ARN, (input, context) => ({
  BackupDescription: description(backupOf(context, input)),
}))

export const deleteBackup = defineOperation<ByArn>(BY_ARN, (input, context) => {
  const backup = backupOf(context, input)
  if (context.backups.isInUse(backup)) throw inUse(backup)
  const response = { BackupDescription: description(backup, 'DELETED') }
  return afterwards(context.backups.remove(backup), () => response)
})

interface ListInput {
  readonly TableName?: string
  readonly Limit?: number
  readonly TimeRangeLowerBound?: unknown
  readonly TimeRangeUpperBound?: unknown
  readonly ExclusiveStartBackupArn?: string
  readonly BackupType?: 'USER' | 'SYSTEM' | 'AWS_BACKUP' | 'ALL'
}

export const listBackups = defineOperation<ListInput>(
  {
    type: 'structure',
    members: {
      TableName: TABLE,
      Limit: COUNT,
      TimeRangeLowerBound: TIME,
      TimeRangeUpperBound: TIME,
      ExclusiveStartBackupArn: { type: 'string' },
      BackupType: { type: 'string', oneOf: ['USER', 'SYSTEM', 'AWS_BACKUP', 'ALL'] },
    },
  },
  (input, context) => {
    const { backups, region } = context
    const { TableName, Limit = MAX_LISTED, ExclusiveStartBackupArn: start, BackupType = 'USER' } = input
    const from = timeOf('TimeRangeLowerBound', input.TimeRangeLowerBound) ?? 0
    const to = timeOf('TimeRangeUpperBound', input.TimeRangeUpperBound) ?? Number.POSITIVE_INFINITY
    if (from > to) {
      throw invalidParameters('Time range lower bound must be less than or equal to upper bound')
    }
    const name = TableName === undefined ? undefined : ownTableName(context, TableName)
    const found = backups
      .list(region, start)
      .filter(({ state }) => TableName === undefined || state.definition.name === name)
      .filter(({ createdAt }) => createdAt >= from && createdAt < to)
      .filter(() => BackupType === 'USER' || BackupType === 'ALL')
    const page = found.slice(0, Limit)
    const last = page.at(-1)
    return {
      BackupSummaries: page.map(summary),
      ...(last === undefined || page.length === found.length ? {} : { LastEvaluatedBackupArn: last.arn }),
    }
  },
)

interface RestoreInput extends ByArn {
  readonly TargetTableName: string
  readonly BillingModeOverride?: 'PROVISIONED' | 'PAY_PER_REQUEST'
  readonly ProvisionedThroughputOverride?: ThroughputInput
  readonly SSESpecificationOverride?: EncryptionInput
}

export const restoreTableFromBackup = defineOperation<RestoreInput>(
  {
    type: 'structure',
    members: {
      TargetTableName: { ...TABLE_NAME, required: true },
      BackupArn: BACKUP_ARN,
      BillingModeOverride: BILLING_MODE,
      ProvisionedThroughputOverride: THROUGHPUT,
      SSESpecificationOverride: ENCRYPTION,
    },
    unsupported: [
      'GlobalSecondaryIndexOverride',
      'LocalSecondaryIndexOverride',
      'OnDemandThroughputOverride',
      'VectorIndexOverride',
    ],
  },
  (input, context) => {
    const { catalog, lifeCycle, region, clock, backups } = context
    const backup = backupOf(context, input)
    if (!backup.complete) throw inUse(backup)
    const name = input.TargetTableName
    if (catalog.get(region, name) !== undefined) {
      throw new ServiceError('TableAlreadyExistsException', `Table already exists: ${name}`)
    }
    const definition = restoredDefinition(backup.state.definition, input)
    checkTableQuota(context, definition)
    checkAccountQuota(context, undefined, definition)
    checkChangesAtOnce(context, definition.indexes.length > 0)
    const table = lifeCycle.create(region, definition, {})
    const restored = backups.restore(backup, table)
    const response = { TableDescription: describeTable(table, clock.now(), 'CREATING') }
    return afterwards(restored, () => response)
  },
)

/** Streams, time to live, tags and protection are not restored, as on the service. */
function restoredDefinition(definition: TableDefinition, input: RestoreInput): TableDefinition {
  const { streamViewType: _, encryption: before, onDemandMaximum: __, ...kept } = definition
  const override = input.SSESpecificationOverride
  const encryption = override === undefined ? before : encryptionOf(override)
  const billingMode = input.BillingModeOverride ?? definition.billingMode
  const switches = billingMode !== definition.billingMode
  checkThroughputOverride(input, billingMode, switches)
  const throughput =
    input.ProvisionedThroughputOverride === undefined && !switches
      ? definition.throughput
      : throughputOf(billingMode, input.ProvisionedThroughputOverride, OF_NEW_TABLE)
  return {
    ...kept,
    name: input.TargetTableName,
    billingMode,
    throughput,
    ...maximumIn(billingMode, definition),
    indexes: switches
      ? definition.indexes.map((index) => restoredIndex(index, billingMode, throughput))
      : definition.indexes,
    deletionProtection: false,
    ...(encryption === undefined ? {} : { encryption }),
  }
}

/** The service's texts are those of no other operation. Observed in October 2026. @throws ServiceError */
function checkThroughputOverride(
  { BillingModeOverride: mode, ProvisionedThroughputOverride: override }: RestoreInput,
  billingMode: BillingMode,
  switches: boolean,
): void {
  if (override === undefined && switches && billingMode === 'PROVISIONED') {
    throw validationException(
      'Invalid Request: Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED',
    )
  }
  if (override === undefined || billingMode === 'PROVISIONED') return
  const when =
    mode === undefined
      ? 'unless BillingMode is PROVISIONED'
      : 'if BillingMode is overridden to PAY_PER_REQUEST'
  throw validationException(`Invalid Request: Cannot override ProvisionedThroughput ${when}`)
}

/**
 * An index in another billing mode than that of its backup. Its old throughput is one of the other mode, such as 0, and a request
 * cannot give another one. So a global index gets the throughput of its table.
 */
function restoredIndex(
  index: IndexDefinition,
  billingMode: BillingMode,
  throughput: Throughput,
): IndexDefinition {
  if (index.kind === 'local') return index
  const { onDemandMaximum: _, ...kept } = index
  return { ...kept, throughput, ...maximumIn(billingMode, index) }
}

/** The on-demand maximum, which provisioned tables and indexes do not have. */
function maximumIn(
  billingMode: BillingMode,
  { onDemandMaximum }: Pick<TableDefinition, 'onDemandMaximum'>,
): Pick<TableDefinition, 'onDemandMaximum'> {
  return billingMode === 'PROVISIONED' || onDemandMaximum === undefined ? {} : { onDemandMaximum }
}

function backupOf({ backups, region }: OperationContext, { BackupArn: arn }: ByArn): BackupState {
  if (!BACKUP_ARN_FORMAT.test(arn)) throw validationException('Invalid Backup ARN')
  const backup = backups.get(region, arn)
  if (backup === undefined) throw new ServiceError('BackupNotFoundException', `Backup not found: ${arn}`)
  return backup
}

function inUse({ arn, complete }: BackupState): ServiceError {
  const doing = complete ? 'restored' : 'created'
  return new ServiceError('BackupInUseException', `Backup is being ${doing}: ${arn}`)
}

function details(backup: BackupState, status = statusOf(backup)): object {
  return {
    BackupArn: backup.arn,
    BackupName: backup.name,
    BackupSizeBytes: backup.bytes,
    BackupStatus: status,
    BackupType: 'USER',
    BackupCreationDateTime: epochSeconds(backup.createdAt),
  }
}

function summary(backup: BackupState): object {
  const { definition, id } = backup.state
  return { TableName: definition.name, TableId: id, TableArn: backup.tableArn, ...details(backup) }
}

function description(backup: BackupState, status = statusOf(backup)): object {
  const { definition, id, createdAt } = backup.state
  return {
    BackupDetails: details(backup, status),
    SourceTableDetails: {
      TableName: definition.name,
      TableId: id,
      TableArn: backup.tableArn,
      TableSizeBytes: backup.bytes,
      KeySchema: describeKeySchema(definition.schema),
      TableCreationDateTime: epochSeconds(createdAt),
      ProvisionedThroughput: units(definition.throughput),
      ...describeOnDemandMaximum(definition.onDemandMaximum),
      ItemCount: backup.items,
      BillingMode: definition.billingMode,
    },
    SourceTableFeatureDetails: features(backup),
  }
}

/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_SourceTableFeatureDetails.html */
function features({ state, tableArn }: BackupState): object {
  const { definition, timeToLive } = state
  const ofKind = (kind: IndexDefinition['kind']) => definition.indexes.filter((index) => index.kind === kind)
  const [local, global] = [ofKind('local'), ofKind('global')]
  return {
    ...(local.length === 0 ? {} : { LocalSecondaryIndexes: local.map(indexInfo) }),
    ...(global.length === 0
      ? {}
      : {
          GlobalSecondaryIndexes: global.map((index) => ({
            ...indexInfo(index),
            ProvisionedThroughput: units(index.throughput),
            ...describeOnDemandMaximum(index.onDemandMaximum),
          })),
        }),
    ...(definition.streamViewType === undefined
      ? {}
      : { StreamDescription: { StreamEnabled: true, StreamViewType: definition.streamViewType } }),
    ...(timeToLive === undefined
      ? {}
      : {
          TimeToLiveDescription: {
            TimeToLiveStatus: timeToLive.enabled ? 'ENABLED' : 'DISABLED',
            AttributeName: timeToLive.attribute,
          },
        }),
    ...describeEncryption(definition, tableArn),
  }
}

function indexInfo({ name, schema, projection }: IndexDefinition): object {
  return {
    IndexName: name,
    KeySchema: describeKeySchema(schema),
    Projection: describeProjection(projection),
  }
}

function units({ readUnits, writeUnits }: Throughput): object {
  return { ReadCapacityUnits: readUnits, WriteCapacityUnits: writeUnits }
}

function statusOf({ complete }: BackupState): string {
  return complete ? 'AVAILABLE' : 'CREATING'
}
