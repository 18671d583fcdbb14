import type { OnDemandMaximum, Throughput } from '../capacity/throughput.js'
import { larger } from '../capacity/throughput.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'
import { parseTableArn } from '../table/table-arn.js'
import type { IndexProjection, KeySchema, TableDefinition } from '../table/table-definition.js'
import { memberOf, type RestoredFrom } from '../table/table-state.js'
import { decreasesOn, type ThroughputHistory } from '../table/throughput-history.js'
import { type ChangingStatus, indexStatusAt, isBackfillingAt, isOver } from '../table/transition.js'
import { encryptionKeyArn } from '../validation/encryption-input.js'
import type { OnDemandInput } from '../validation/on-demand-input.js'
import { epochSeconds } from './epoch-seconds.js'

/**
 * A table in the form of responses to CreateTable, DescribeTable, UpdateTable and DeleteTable. Times are epoch seconds.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
 *
 * @param status the change that a request has started. Its response shows it even when it is already complete.
 * @param added the index that the request adds.
 */
export function describeTable(table: Table, now: number, status?: ChangingStatus, added?: string): object {
  const { definition, state, stream } = table
  const shownStatus = status ?? table.status
  const indexes = [...table.indexes.values()].filter(({ state }) => !isDeleted(state.transition, now))
  const global = indexes.filter(({ isLocal }) => !isLocal)
  const local = indexes.filter(({ isLocal }) => isLocal)
  return {
    // Sorted, as observed on the service in October 2026. Indexes keep the order of their requests.
    AttributeDefinitions: definition.attributes
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ name, type }) => ({ AttributeName: name, AttributeType: type })),
    TableName: definition.name,
    KeySchema: describeKeySchema(definition.schema),
    TableStatus: shownStatus,
    CreationDateTime: epochSeconds(state.createdAt),
    ProvisionedThroughput: describeThroughput(definition.throughput, state, now),
    TableSizeBytes: table.items.bytes,
    ItemCount: table.items.size,
    TableArn: table.arn,
    TableId: state.id,
    ...describeBillingMode(table),
    ...describeOnDemandMaximum(definition.onDemandMaximum),
    ...(local.length > 0 ? { LocalSecondaryIndexes: local.map(describeLocalIndex) } : {}),
    ...(global.length > 0
      ? {
          GlobalSecondaryIndexes: global.map((index) =>
            describeGlobalIndex(index, table, now, index.definition.name === added ? 'CREATING' : status),
          ),
        }
      : {}),
    ...(stream === undefined
      ? {}
      : { StreamSpecification: { StreamEnabled: true, StreamViewType: stream.state.viewType } }),
    ...(state.stream === undefined
      ? {}
      : { LatestStreamLabel: state.stream.label, LatestStreamArn: state.stream.arn }),
    ...describeTableClass(table),
    ...describeEncryption(definition, table.arn),
    ...describeRestore(state.restored, shownStatus === 'CREATING'),
    WarmThroughput: describeWarmth(
      larger(state.warm, table.capacity.grownTo),
      memberOf(state.warmingUntil ?? {}, ''),
      now,
    ),
    DeletionProtectionEnabled: definition.deletionProtection,
  }
}

function describeTableClass({ definition, state }: Table): object {
  const { tableClass: TableClass } = definition
  const { classChangedAt } = state
  if (TableClass === undefined) return {}
  return {
    TableClassSummary: {
      TableClass,
      ...(classChangedAt === undefined ? {} : { LastUpdateDateTime: epochSeconds(classChangedAt) }),
    },
  }
}

export function describeEncryption({ encryption }: TableDefinition, arn: string): object {
  if (encryption === undefined) return {}
  const KMSMasterKeyArn = encryptionKeyArn(encryption, regionOf(arn))
  return { SSEDescription: { Status: 'ENABLED', SSEType: 'KMS', KMSMasterKeyArn } }
}

function describeRestore(restored: RestoredFrom | undefined, isInProgress: boolean): object {
  if (restored === undefined) return {}
  return {
    RestoreSummary: {
      SourceBackupArn: restored.backupArn,
      SourceTableArn: restored.tableArn,
      RestoreDateTime: epochSeconds(restored.backupAt),
      RestoreInProgress: isInProgress,
    },
  }
}

function regionOf(arn: string): string {
  return parseTableArn(arn)?.region ?? ''
}

/** The response to DeleteTable leaves out the table's definition. */
export function describeDeletion(description: object): object {
  const {
    AttributeDefinitions: _attributes,
    KeySchema: _key,
    CreationDateTime: _created,
    LocalSecondaryIndexes: _local,
    GlobalSecondaryIndexes: _global,
    WarmThroughput: _warm,
    ...rest
  } = description as { readonly [member: string]: unknown }
  return rest
}

function describeGlobalIndex(
  index: SecondaryIndex,
  { state }: Table,
  now: number,
  status: ChangingStatus | undefined,
): object {
  const { definition } = index
  const ownStatus = indexStatusAt(index.state, now)
  const backfilling = isBackfillingAt(index.state, now)
  const warm = memberOf(state.warmIndexes, definition.name)
  return {
    ...describeLocalIndex(index),
    IndexStatus: status === 'CREATING' || status === 'DELETING' ? status : ownStatus,
    ...(backfilling === undefined ? {} : { Backfilling: backfilling }),
    ProvisionedThroughput: describeThroughput(
      definition.throughput,
      index.state.throughputHistory ?? {},
      now,
    ),
    ...describeOnDemandMaximum(definition.onDemandMaximum),
    ...(warm === undefined
      ? {}
      : {
          WarmThroughput: describeWarmth(
            larger(warm, index.capacity.grownTo),
            memberOf(state.warmingUntil ?? {}, definition.name),
            now,
          ),
        }),
  }
}

function describeLocalIndex({ definition, items, arn }: SecondaryIndex): object {
  return {
    IndexName: definition.name,
    KeySchema: describeKeySchema(definition.schema),
    Projection: describeProjection(definition.projection),
    IndexSizeBytes: items.bytes,
    ItemCount: items.size,
    IndexArn: arn,
  }
}

function isDeleted(transition: Parameters<typeof isOver>[0], now: number): boolean {
  return transition?.status === 'DELETING' && isOver(transition, now)
}

export function describeKeySchema({ hash, range }: KeySchema): object[] {
  const element = (keyType: string) => (attribute: { name: string }) => {
    return { AttributeName: attribute.name, KeyType: keyType }
  }
  return [...hash.map(element('HASH')), ...range.map(element('RANGE'))]
}

export function describeProjection(projection: IndexProjection): object {
  return {
    ProjectionType: projection.type,
    ...(projection.type === 'INCLUDE' ? { NonKeyAttributes: projection.attributes.toSorted() } : {}),
  }
}

/** Throughput in the form of responses, with the times when it was increased and decreased. */
export function describeThroughput(
  { readUnits, writeUnits }: Throughput,
  history: ThroughputHistory,
  now: number,
): object {
  const { lastIncreaseAt, lastDecreaseAt } = history
  return {
    ...(lastIncreaseAt === undefined ? {} : { LastIncreaseDateTime: epochSeconds(lastIncreaseAt) }),
    ...(lastDecreaseAt === undefined ? {} : { LastDecreaseDateTime: epochSeconds(lastDecreaseAt) }),
    NumberOfDecreasesToday: decreasesOn(now, history),
    ReadCapacityUnits: readUnits,
    WriteCapacityUnits: writeUnits,
  }
}

/** A maximum that is not set is left out. */
export function describeOnDemandMaximum(maximum: OnDemandMaximum | undefined): {
  readonly OnDemandThroughput?: OnDemandInput
} {
  if (maximum === undefined) return {}
  const { readUnits, writeUnits } = maximum
  return {
    OnDemandThroughput: {
      ...(readUnits === undefined ? {} : { MaxReadRequestUnits: readUnits }),
      ...(writeUnits === undefined ? {} : { MaxWriteRequestUnits: writeUnits }),
    },
  }
}

function describeWarmth({ readUnits, writeUnits }: Throughput, until = 0, now = 0): object {
  return {
    ReadUnitsPerSecond: readUnits,
    WriteUnitsPerSecond: writeUnits,
    Status: until > now ? 'UPDATING' : 'ACTIVE',
  }
}

/** A table that has always been provisioned has no summary of its mode. */
function describeBillingMode({ state, billingMode }: Table): object {
  if (state.onDemandSince === undefined) return {}
  return {
    BillingModeSummary: {
      BillingMode: billingMode,
      LastUpdateToPayPerRequestDateTime: epochSeconds(state.onDemandSince),
    },
  }
}
