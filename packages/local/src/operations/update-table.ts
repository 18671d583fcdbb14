import type { CapacityParameters } from '../capacity/capacity-parameters.js'
import { indexStatusAt, isBackfillingAt } from '../table/life-cycle.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'
import { changeTable } from '../table/table-change.js'
import type {
  BillingMode,
  IndexDefinition,
  StreamViewType,
  TableClass,
  TableDefinition,
  Throughput,
} from '../table/table-definition.js'
import { larger, memberOf } from '../table/table-state.js'
import { decreasesOn } from '../table/throughput-history.js'
import {
  checkIndexesTogether,
  GLOBAL_INDEX,
  type GlobalIndexInput,
  globalIndexDefinition,
  oneIndexAtATime,
} from '../validation/index-input.js'
import {
  ATTRIBUTE_DEFINITIONS,
  type AttributeDefinitionInput,
  checkAttributesFitKeys,
  keyAttributes,
} from '../validation/key-schema-input.js'
import { TABLE, TABLE_NAME } from '../validation/members.js'
import {
  STREAM_SPECIFICATION,
  type StreamSpecificationInput,
  streamViewTypeOf,
} from '../validation/stream-specification-input.js'
import { TABLE_CLASS } from '../validation/table-definition-input.js'
import {
  BILLING_MODE,
  checkThroughputQuota,
  ON_DEMAND_THROUGHPUT,
  type OnDemandInput,
  onDemandMaximumOf,
  THROUGHPUT,
  type ThroughputInput,
  throughputOf,
  WARM_THROUGHPUT,
  type WarmInput,
  warmThroughputOf,
} from '../validation/throughput-input.js'
import { ServiceError, validationException } from '../wire/service-error.js'
import { checkChangesAtOnce } from './changes-at-once.js'
import { afterwards, controlledTable, defineOperation } from './operation.js'
import { describeTable, describeThroughput } from './table-description.js'
import { checkAccountQuota, checkDecrease } from './throughput-quotas.js'

interface IndexSettings {
  readonly IndexName: string
  readonly ProvisionedThroughput?: ThroughputInput
  readonly OnDemandThroughput?: OnDemandInput
  readonly WarmThroughput?: WarmInput
}

interface IndexUpdate {
  readonly Create?: GlobalIndexInput
  readonly Update?: IndexSettings
  readonly Delete?: { readonly IndexName: string }
}

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
}

const INVALID = 'One or more parameter values were invalid: '

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
      GlobalSecondaryIndexUpdates: {
        type: 'list',
        of: {
          type: 'structure',
          members: {
            Create: GLOBAL_INDEX,
            Update: {
              type: 'structure',
              members: {
                IndexName: { ...TABLE_NAME, required: true },
                ProvisionedThroughput: THROUGHPUT,
                OnDemandThroughput: ON_DEMAND_THROUGHPUT,
                WarmThroughput: WARM_THROUGHPUT,
              },
            },
            Delete: { type: 'structure', members: { IndexName: { ...TABLE_NAME, required: true } } },
          },
        },
      },
      StreamSpecification: STREAM_SPECIFICATION,
      TableClass: TABLE_CLASS,
      DeletionProtectionEnabled: { type: 'boolean' },
    },
    unsupported: [
      'SSESpecification',
      'ReplicaUpdates',
      'MultiRegionConsistency',
      'DisassociationProtectionEnabled',
      'GlobalTableWitnessUpdates',
      'GlobalTableSettingsReplicationMode',
      'VectorIndexUpdates',
    ],
  },
  (input, context) => {
    const { catalog, clock, capacity } = context
    checkAsksForSomething(input)
    const now = clock.now()
    const table = controlledTable(context, input.TableName)
    checkNotBusy(table, input)
    const before = table.definition
    const billingMode = input.BillingMode ?? before.billingMode
    const throughput = wantedThroughput(before, billingMode, input)
    const updates = input.GlobalSecondaryIndexUpdates ?? []
    checkUpdates(updates)
    const added = addedIndex(table, billingMode, updates, input.AttributeDefinitions)
    const removed = removedIndex(table, updates, now)
    if ((added !== undefined || removed !== undefined) && isIndexChanging(table, removed, now)) {
      throw oneIndexAtATime()
    }
    const indexes = before.indexes.map((index) => changedIndex(table, index, billingMode, updates))
    const onDemandMaximum = onDemandMaximumOf(billingMode, input.OnDemandThroughput, before.onDemandMaximum)
    const warmThroughput =
      input.WarmThroughput === undefined
        ? before.warmThroughput
        : warmThroughputOf(input.WarmThroughput, larger(table.state.warm, table.capacity.grownTo))
    const streamViewType = wantedStream(before, input.StreamSpecification)
    const { onDemandMaximum: _, warmThroughput: __, streamViewType: ___, ...kept } = before
    const definition: TableDefinition = {
      ...kept,
      attributes: wantedAttributes(before, added?.attributes, removed),
      billingMode,
      throughput,
      indexes,
      ...(onDemandMaximum === undefined ? {} : { onDemandMaximum }),
      ...(warmThroughput === undefined ? {} : { warmThroughput }),
      ...(streamViewType === undefined ? {} : { streamViewType }),
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
    checkDecreases(table, definition, capacity, now)
    checkChangesAtOnce(context, added !== undefined)
    const history = table.state
    const records = changeTable(catalog, table, { definition, added: added?.definition, removed }, now)
    const response = {
      TableDescription: {
        ...describeTable(table, now, 'UPDATING', added?.definition.name),
        // The service shows what was there until it is no longer there.
        ProvisionedThroughput: {
          ...describeThroughput(before.throughput, table.state, now),
          NumberOfDecreasesToday: decreasesOn(now, history),
        },
      },
    }
    return afterwards(catalog.save(table, records), response)
  },
)

/** Each table and index has decreases of its own; one that has none left refuses the whole request. @throws ServiceError */
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

function withIndex(definition: TableDefinition, added: IndexDefinition | undefined): TableDefinition {
  return added === undefined ? definition : { ...definition, indexes: [...definition.indexes, added] }
}

function checkAsksForSomething(input: UpdateTableInput): void {
  const { TableName: _, AttributeDefinitions: __, GlobalSecondaryIndexUpdates: updates = [], ...rest } = input
  if (updates.length > 0 || Object.values(rest).some((value) => value !== undefined)) return
  throw validationException(
    'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required',
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
  throw new ServiceError(
    'ResourceInUseException',
    `Attempt to change a resource which is still in use: ${doing}`,
  )
}

function wantedThroughput(
  before: TableDefinition,
  billingMode: BillingMode,
  input: UpdateTableInput,
): Throughput {
  const switches = billingMode !== before.billingMode
  if (input.ProvisionedThroughput === undefined && !switches) return before.throughput
  const wanted = throughputOf(billingMode, input.ProvisionedThroughput)
  const { readUnits, writeUnits } = wanted
  if (!switches && billingMode === 'PROVISIONED' && sameThroughput(wanted, before.throughput)) {
    throw validationException(
      `The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: ${readUnits}. Requested ReadCapacityUnits: ${readUnits}. Current WriteCapacityUnits provisioned for the table: ${writeUnits}. Requested WriteCapacityUnits: ${writeUnits}. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.`,
    )
  }
  return wanted
}

/** One action for each member, one member for each index, and one index made or removed. @throws ServiceError */
function checkUpdates(updates: readonly IndexUpdate[]): void {
  const names = updates.map((update) => {
    const actions = [update.Create, update.Update, update.Delete].filter((action) => action !== undefined)
    const [action] = actions
    if (action !== undefined && actions.length === 1) return action.IndexName
    throw validationException(
      `${INVALID}Each GlobalSecondaryIndexUpdate must have exactly one of Create, Update and Delete; one has ${actions.length}`,
    )
  })
  const twice = names.find((name, position) => names.indexOf(name) !== position)
  if (twice !== undefined) {
    throw validationException(
      `${INVALID}Only one global secondary index update per index is allowed simultaneously. Index: ${twice}`,
    )
  }
  if (updates.filter(({ Update }) => Update === undefined).length > 1) throw oneIndexAtATime()
}

function addedIndex(
  table: Table,
  billingMode: BillingMode,
  updates: readonly IndexUpdate[],
  inputs: readonly AttributeDefinitionInput[] | undefined,
): { definition: IndexDefinition; attributes: TableDefinition['attributes'] } | undefined {
  const create = updates.find(({ Create }) => Create !== undefined)?.Create
  if (create === undefined) return undefined
  const { definition: before } = table
  const attributes = [...before.attributes]
  for (const { name, type } of keyAttributes(inputs ?? [])) {
    const present = before.attributes.find((each) => each.name === name)
    if (present !== undefined && present.type !== type) {
      throw validationException(
        `${INVALID}Attribute ${name} has type ${present.type} in the keys of the table and cannot be defined as ${type}`,
      )
    }
    if (present === undefined) attributes.push({ name, type })
  }
  const present = before.indexes.flatMap(({ schema }) => [...schema.hash, ...schema.range])
  const elements = [...before.schema.hash, ...before.schema.range, ...present].map(({ name }) => {
    return { AttributeName: name, KeyType: 'HASH' as const }
  })
  checkAttributesFitKeys(attributes, [elements, create.KeySchema])
  const definition = globalIndexDefinition(create, attributes, billingMode)
  if (table.indexes.has(definition.name)) {
    throw validationException(`${INVALID}Attempting to create an index which already exists`)
  }
  checkIndexesTogether([...before.indexes, definition])
  return { definition, attributes }
}

function removedIndex(
  table: Table,
  updates: readonly IndexUpdate[],
  now: number,
): SecondaryIndex | undefined {
  const name = updates.find(({ Delete }) => Delete !== undefined)?.Delete?.IndexName
  if (name === undefined) return undefined
  const index = globalIndex(table, name)
  if (isBackfillingAt(index.state, now) === false) {
    throw new ServiceError(
      'ResourceInUseException',
      `Attempt to change a resource which is still in use: Index is being created. Table: ${table.name}, Index: ${name}`,
    )
  }
  return index
}

/** Whether an index is on its way, other than the one that shall be removed. */
function isIndexChanging(table: Table, removed: SecondaryIndex | undefined, now: number): boolean {
  return [...table.indexes.values()].some((index) => {
    const status = indexStatusAt(index.state, now)
    return status === 'DELETING' || (status === 'CREATING' && index !== removed)
  })
}

/** An index with what the request says of it. A table that changes its mode needs to be told of every index. */
function changedIndex(
  table: Table,
  index: IndexDefinition,
  billingMode: BillingMode,
  updates: readonly IndexUpdate[],
): IndexDefinition {
  for (const { Update } of updates) if (Update !== undefined) globalIndex(table, Update.IndexName)
  const update = updates.find(({ Update }) => Update?.IndexName === index.name)?.Update
  const switches = billingMode !== table.billingMode
  if (index.kind === 'local' || (update === undefined && !switches)) return index
  const throughput =
    update?.ProvisionedThroughput === undefined && !switches
      ? index.throughput
      : throughputOf(billingMode, update?.ProvisionedThroughput, index.name)
  if (
    update?.ProvisionedThroughput !== undefined &&
    !switches &&
    sameThroughput(throughput, index.throughput)
  ) {
    throw validationException(
      `The provisioned throughput for the index ${index.name} will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the index: ${throughput.readUnits}. Requested ReadCapacityUnits: ${throughput.readUnits}. Current WriteCapacityUnits provisioned for the index: ${throughput.writeUnits}. Requested WriteCapacityUnits: ${throughput.writeUnits}. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.`,
    )
  }
  const maximum = onDemandMaximumOf(
    billingMode,
    update?.OnDemandThroughput,
    index.onDemandMaximum,
    index.name,
  )
  const reached = table.indexes.get(index.name)?.capacity.grownTo ?? throughput
  const current = larger(memberOf(table.state.warmIndexes, index.name) ?? throughput, reached)
  const { onDemandMaximum: _, ...kept } = index
  return {
    ...kept,
    throughput,
    ...(maximum === undefined ? {} : { onDemandMaximum: maximum }),
    ...(update?.WarmThroughput === undefined
      ? {}
      : { warmThroughput: warmThroughputOf(update.WarmThroughput, current, index.name) }),
  }
}

function globalIndex(table: Table, name: string): SecondaryIndex {
  const index = table.indexes.get(name)
  if (index !== undefined && !index.isLocal) return index
  throw new ServiceError(
    'ResourceNotFoundException',
    `Requested resource not found: Index ${name} for table ${table.name}`,
  )
}

/** Attributes that no key uses any more are no longer shown. */
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
  const wanted = streamViewTypeOf(input)
  if (wanted !== undefined && streamViewType !== undefined) {
    throw validationException(`Table already has an enabled stream: TableName: ${name}`)
  }
  if (wanted === undefined && streamViewType === undefined) {
    throw validationException(`Table has no stream to disable: TableName: ${name}`)
  }
  return wanted
}

function sameThroughput(a: Throughput, b: Throughput): boolean {
  return a.readUnits === b.readUnits && a.writeUnits === b.writeUnits
}
