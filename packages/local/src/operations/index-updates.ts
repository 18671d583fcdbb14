import { sameThroughputText } from '@isotherm/semantics'
import type { BillingMode } from '../capacity/throughput.js'
import { larger, sameThroughput } from '../capacity/throughput.js'
import {
  invalidParameters,
  resourceInUse,
  resourceNotFound,
  validationException,
} from '../errors/service-error.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'
import type { IndexDefinition, TableDefinition } from '../table/table-definition.js'
import { memberOf } from '../table/table-state.js'
import { indexStatusAt, isBackfillingAt } from '../table/transition.js'
import { firstRepeated } from '../validation/first-repeated.js'
import {
  checkIndexesTogether,
  checkNotEmpty,
  GLOBAL_INDEX,
  type GlobalIndexInput,
  globalIndexDefinition,
  oneIndexAtATime,
} from '../validation/index-input.js'
import {
  type AttributeDefinitionInput,
  checkAttributesFitKeys,
  keyAttributes,
} from '../validation/key-schema-input.js'
import { TABLE_NAME } from '../validation/members.js'
import {
  changedOnDemandMaximum,
  ON_DEMAND_THROUGHPUT,
  type OnDemandInput,
} from '../validation/on-demand-input.js'
import type { Shape } from '../validation/shape.js'
import {
  ofAddedIndex,
  ofIndex,
  raisedWarmThroughput,
  THROUGHPUT,
  type ThroughputInput,
  throughputOf,
  WARM_THROUGHPUT,
  type WarmInput,
} from '../validation/throughput-input.js'

interface IndexSettings {
  readonly IndexName: string
  readonly ProvisionedThroughput?: ThroughputInput
  readonly OnDemandThroughput?: OnDemandInput
  readonly WarmThroughput?: WarmInput
}

/** The change of one global index. Exactly one member is set. */
export interface IndexUpdate {
  readonly Create?: GlobalIndexInput
  readonly Update?: IndexSettings
  readonly Delete?: { readonly IndexName: string }
}

export const INDEX_UPDATES = {
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
} as const satisfies Shape

/**
 * Checks that each member has one action, each index has one member, and at most one index is created or deleted.
 * @throws ServiceError
 */
export function checkUpdates(updates: readonly IndexUpdate[] | undefined): void {
  if (updates === undefined) return
  checkNotEmpty(updates, 'GlobalSecondaryIndexUpdates')
  const names = updates.map((update) => {
    const [action, another] = [update.Create, update.Update, update.Delete].filter(
      (each) => each !== undefined,
    )
    if (action === undefined) {
      throw invalidParameters(
        'One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null',
      )
    }
    if (another !== undefined) {
      throw invalidParameters(
        'Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object',
      )
    }
    return action.IndexName
  })
  const twice = firstRepeated(names)
  if (twice !== undefined) {
    throw invalidParameters(
      `Only one global secondary index update per index is allowed simultaneously. Index: ${twice}`,
    )
  }
  if (updates.filter(({ Update }) => Update === undefined).length > 1) throw oneIndexAtATime()
}

/** The index that a request adds, and all attributes that the table's keys then use. @throws ServiceError */
export function addedIndex(
  table: Table,
  billingMode: BillingMode,
  updates: readonly IndexUpdate[],
  inputs: readonly AttributeDefinitionInput[] | undefined,
): { definition: IndexDefinition; attributes: TableDefinition['attributes'] } | undefined {
  const create = updates.find(({ Create }) => Create !== undefined)?.Create
  if (create === undefined) return undefined
  if (inputs === undefined) {
    throw invalidParameters(`AttributeDefinitions is not specified for index: ${create.IndexName}`)
  }
  const { definition: before } = table
  // Definitions that the new key does not use are ignored, and attributes of present keys keep their types.
  const ofKey = new Set(create.KeySchema.map(({ AttributeName }) => AttributeName))
  const used = keyAttributes(inputs).filter(({ name }) => ofKey.has(name))
  checkAttributesFitKeys(used, [create.KeySchema])
  const present = new Set(before.attributes.map(({ name }) => name))
  const attributes = [...before.attributes, ...used.filter(({ name }) => !present.has(name))]
  const definition = globalIndexDefinition(create, attributes, billingMode, ofAddedIndex)
  if (table.indexes.has(definition.name)) {
    throw validationException('Attempting to create an index which already exists')
  }
  checkIndexesTogether([...before.indexes, definition])
  return { definition, attributes }
}

/** The index that a request removes. An index that is still being set up cannot be removed. @throws ServiceError */
export function removedIndex(
  table: Table,
  updates: readonly IndexUpdate[],
  now: number,
): SecondaryIndex | undefined {
  const name = updates.find(({ Delete }) => Delete !== undefined)?.Delete?.IndexName
  if (name === undefined) return undefined
  const index = globalIndex(table, name, 'delete')
  if (isBackfillingAt(index.state, now) === false) {
    throw resourceInUse(`Index is being created. Table: ${table.name}, Index: ${name}`)
  }
  return index
}

/** Whether an index other than the removed one is being changed. */
export function isIndexChanging(table: Table, removed: SecondaryIndex | undefined, now: number): boolean {
  return [...table.indexes.values()].some((index) => {
    const status = indexStatusAt(index.state, now)
    return status === 'DELETING' || (status === 'CREATING' && index !== removed)
  })
}

/** An index with the changes of a request. A request that changes the table's mode must include every index. */
export function changedIndex(
  table: Table,
  index: IndexDefinition,
  billingMode: BillingMode,
  updates: readonly IndexUpdate[],
): IndexDefinition {
  for (const { Update } of updates) if (Update !== undefined) globalIndex(table, Update.IndexName, 'update')
  const update = updates.find(({ Update }) => Update?.IndexName === index.name)?.Update
  const switches = billingMode !== table.billingMode
  if (index.kind === 'local' || (update === undefined && !switches)) return index
  const throughput =
    update?.ProvisionedThroughput === undefined && !switches
      ? index.throughput
      : throughputOf(billingMode, update?.ProvisionedThroughput, ofIndex(index.name))
  if (
    update?.ProvisionedThroughput !== undefined &&
    !switches &&
    sameThroughput(throughput, index.throughput)
  ) {
    throw validationException(sameThroughputText(throughput, index.name))
  }
  const maximum = changedOnDemandMaximum(
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
      : { warmThroughput: raisedWarmThroughput(update.WarmThroughput, current, index.name) }),
  }
}

function globalIndex(table: Table, name: string, action: 'delete' | 'update'): SecondaryIndex {
  const index = table.indexes.get(name)
  if (index?.isLocal === true) {
    throw validationException(`Cannot ${action} an index that is not a GlobalSecondaryIndex: ${name}`)
  }
  if (index !== undefined) return index
  throw resourceNotFound(`Index ${name} for table ${table.name}`)
}
