import { sameThroughputText } from '@isotherm/semantics'
import type { BillingMode, OnDemandMaximum, Throughput } from '../capacity/throughput.js'
import { larger, sameThroughput } from '../capacity/throughput.js'
import { changeTable } from '../catalog/table-change.js'
import { resourceInUse, validationException } from '../errors/service-error.js'
import type { CapacityParameters } from '../partition/capacity-parameters.js'
import { afterwards } from '../storage/afterwards.js'
import type { StreamViewType } from '../stream/stream-record.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'
import type { IndexDefinition, TableClass, TableDefinition } from '../table/table-definition.js'
import { decreasesOn } from '../table/throughput-history.js'
import { changedEncryption, ENCRYPTION, type EncryptionInput } from '../validation/encryption-input.js'
import { oneIndexAtATime } from '../validation/index-input.js'
import { ATTRIBUTE_DEFINITIONS, type AttributeDefinitionInput } from '../validation/key-schema-input.js'
import { TABLE } from '../validation/members.js'
import {
  changedOnDemandMaximum,
  ON_DEMAND_THROUGHPUT,
  type OnDemandInput,
} from '../validation/on-demand-input.js'
import { checkOneChange } from '../validation/one-change.js'
import {
  OF_STREAM,
  STREAM_SPECIFICATION,
  type StreamSpecificationInput,
  streamViewTypeOf,
} from '../validation/stream-specification-input.js'
import { TABLE_CLASS } from '../validation/table-definition-input.js'
import {
  BILLING_MODE,
  checkThroughputQuota,
  OF_TABLE,
  raisedWarmThroughput,
  THROUGHPUT,
  type ThroughputInput,
  throughputOf,
  WARM_THROUGHPUT,
  type WarmInput,
} from '../validation/throughput-input.js'
import { checkChangesAtOnce } from './changes-at-once.js'
import {
  addedIndex,
  changedIndex,
  checkUpdates,
  INDEX_UPDATES,
  type IndexUpdate,
  isIndexChanging,
  removedIndex,
} from './index-updates.js'
import { controlledTable, defineOperation } from './operation.js'
import { describeOnDemandMaximum, describeTable, describeThroughput } from './table-description.js'
import { checkAccountQuota, checkDecrease, checkSwitch } from './throughput-quotas.js'

interface UpdateTableInput {
  readonly TableName: string
  readonly AttributeDefinitions?: readonly AttributeDefinitionInput[]
  readonly BillingMode?: BillingMode
  readonly ProvisionedThroughput?: ThroughputInput
  readonly OnDemandThroughput?: OnDemandInput
  readonly WarmThroughput?: WarmInput
  readonly GlobalSecondaryIndexUpdates?: readonly IndexUpdate[]
  readonly StreamSpecification?: StreamSpecificationInput
  readonly TableClass?: TableClass
  readonly DeletionProtectionEnabled?: boolean
  readonly SSESpecification?: EncryptionInput
}

export const updateTable = defineOperation<UpdateTableInput>(
  {
    type: 'structure',
    members: {
      TableName: { ...TABLE, required: true },
      AttributeDefinitions: ATTRIBUTE_DEFINITIONS,
      BillingMode: BILLING_MODE,
      ProvisionedThroughput: THROUGHPUT,
      OnDemandThroughput: ON_DEMAND_THROUGHPUT,
      WarmThroughput: WARM_THROUGHPUT,
      GlobalSecondaryIndexUpdates: INDEX_UPDATES,
      StreamSpecification: STREAM_SPECIFICATION,
      TableClass: TABLE_CLASS,
      DeletionProtectionEnabled: { type: 'boolean' },
      SSESpecification: ENCRYPTION,
    },
    unsupported: [
      'ReplicaUpdates',
      'MultiRegionConsistency',
      'DisassociationProtectionEnabled',
      'GlobalTableWitnessUpdates',
      'GlobalTableSettingsReplicationMode',
      'VectorIndexUpdates',
    ],
  },
  (input, context) => {
    const { catalog, lifeCycle, clock, capacity } = context
    checkAsksForSomething(input)
    const now = clock.now()
    const table = controlledTable(context, input.TableName)
    checkNotBusy(table, input)
    const before = table.definition
    const billingMode = input.BillingMode ?? before.billingMode
    const throughput = wantedThroughput(before, billingMode, input)
    const updates = input.GlobalSecondaryIndexUpdates ?? []
    checkUpdates(input.GlobalSecondaryIndexUpdates)
    const added = addedIndex(table, billingMode, updates, input.AttributeDefinitions)
    const removed = removedIndex(table, updates, now)
    if ((added !== undefined || removed !== undefined) && isIndexChanging(table, removed, now)) {
      throw oneIndexAtATime()
    }
    checkOneChange(input)
    const indexes = before.indexes.map((index) => changedIndex(table, index, billingMode, updates))
    const onDemandMaximum = changedOnDemandMaximum(
      billingMode,
      input.OnDemandThroughput,
      before.onDemandMaximum,
    )
    const warmThroughput =
      input.WarmThroughput === undefined
        ? before.warmThroughput
        : raisedWarmThroughput(input.WarmThroughput, larger(table.state.warm, table.capacity.grownTo))
    const streamViewType = wantedStream(before, input.StreamSpecification)
    const encryption = changedEncryption(input.SSESpecification, before.encryption)
    const { onDemandMaximum: _, warmThroughput: __, streamViewType: ___, encryption: ____, ...kept } = before
    const definition: TableDefinition = {
      ...kept,
      attributes: wantedAttributes(before, added?.attributes, removed),
      billingMode,
      throughput,
      indexes,
      ...(onDemandMaximum === undefined ? {} : { onDemandMaximum }),
      ...(warmThroughput === undefined ? {} : { warmThroughput }),
      ...(streamViewType === undefined ? {} : { streamViewType }),
      ...(encryption === undefined ? {} : { encryption }),
      ...(input.TableClass === undefined ? {} : { tableClass: input.TableClass }),
      deletionProtection: input.DeletionProtectionEnabled ?? before.deletionProtection,
    }
    checkThroughputQuota(
      [definition, ...indexes, ...(added === undefined ? [] : [added.definition])].flatMap((each) => [
        each.throughput,
        each.warmThroughput,
      ]),
      capacity.tableUnitsPerSecond,
    )
    checkAccountQuota(context, before, withIndex(definition, added?.definition))
    checkSwitch(table.state, before.billingMode, billingMode, capacity, now)
    checkDecreases(table, definition, capacity, now)
    checkChangesAtOnce(context, added !== undefined)
    const history = table.state
    const records = changeTable(lifeCycle, table, { definition, added: added?.definition, removed }, now)
    const response = {
      TableDescription: {
        ...describeTable(table, now, 'UPDATING', added?.definition.name),
        ...describeAskedMaximum(input.OnDemandThroughput, onDemandMaximum),
        // The service shows the previous throughput until the change is complete.
        ProvisionedThroughput: {
          ...describeThroughput(before.throughput, table.state, now),
          NumberOfDecreasesToday: decreasesOn(now, history),
        },
      },
    }
    return afterwards(catalog.save(table, records), () => response)
  },
)

/** Checks the decreases of each table and index. If one has none left, the whole request fails. @throws ServiceError */
function checkDecreases(
  table: Table,
  after: TableDefinition,
  capacity: CapacityParameters,
  now: number,
): void {
  checkDecrease(table.state, table.definition.throughput, after.throughput, capacity, now)
  for (const wanted of after.indexes) {
    const index = table.indexes.get(wanted.name)
    if (index === undefined) continue
    const { definition, state } = index
    checkDecrease(state.throughputHistory ?? {}, definition.throughput, wanted.throughput, capacity, now)
  }
}

/** The response repeats the values that remove a maximum. The next DescribeTable leaves them out. */
function describeAskedMaximum(
  input: OnDemandInput | undefined,
  maximum: OnDemandMaximum | undefined,
): object {
  const OnDemandThroughput = { ...describeOnDemandMaximum(maximum).OnDemandThroughput, ...input }
  return Object.keys(OnDemandThroughput).length === 0 ? {} : { OnDemandThroughput }
}

function withIndex(definition: TableDefinition, added: IndexDefinition | undefined): TableDefinition {
  return added === undefined ? definition : { ...definition, indexes: [...definition.indexes, added] }
}

function checkAsksForSomething(input: UpdateTableInput): void {
  const { TableName: _, AttributeDefinitions: __, GlobalSecondaryIndexUpdates: updates = [], ...rest } = input
  if (updates.length > 0 || Object.values(rest).some((value) => value !== undefined)) return
  throw validationException(
    'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required',
  )
}

function checkNotBusy({ status, name }: Table, { ProvisionedThroughput }: UpdateTableInput): void {
  if (status === 'ACTIVE') return
  const doing =
    status === 'UPDATING'
      ? ProvisionedThroughput === undefined
        ? `Table is being updated: ${name}`
        : `Table IOPS are currently being updated. Table: ${name}`
      : `Table is being ${status.toLowerCase().replace('ing', 'ed')}: ${name}`
  throw resourceInUse(doing)
}

function wantedThroughput(
  before: TableDefinition,
  billingMode: BillingMode,
  input: UpdateTableInput,
): Throughput {
  const switches = billingMode !== before.billingMode
  if (input.ProvisionedThroughput === undefined && !switches) return before.throughput
  const wanted = throughputOf(billingMode, input.ProvisionedThroughput, OF_TABLE)
  if (!switches && billingMode === 'PROVISIONED' && sameThroughput(wanted, before.throughput)) {
    throw validationException(sameThroughputText(wanted))
  }
  return wanted
}

/** Attributes that no key uses any more are removed. */
function wantedAttributes(
  before: TableDefinition,
  withAdded: TableDefinition['attributes'] | undefined,
  removed: SecondaryIndex | undefined,
): TableDefinition['attributes'] {
  if (withAdded !== undefined) return withAdded
  if (removed === undefined) return before.attributes
  const schemas = before.indexes.filter(({ name }) => name !== removed.definition.name)
  const used = [before, ...schemas].flatMap(({ schema }) => [...schema.hash, ...schema.range])
  return before.attributes.filter(({ name }) => used.some((each) => each.name === name))
}

function wantedStream(
  { name, streamViewType }: TableDefinition,
  input: StreamSpecificationInput | undefined,
): StreamViewType | undefined {
  if (input === undefined) return streamViewType
  const wanted = streamViewTypeOf(input, OF_STREAM)
  if (wanted !== undefined && streamViewType !== undefined) {
    throw validationException(`Table already has an enabled stream: TableName: ${name}`)
  }
  if (wanted === undefined && streamViewType === undefined) {
    throw validationException(`Table has no stream to disable: TableName: ${name}`)
  }
  return wanted
}
