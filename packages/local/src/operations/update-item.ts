import {
  applyUpdate,
  type BoundUpdate,
  bindUpdate,
  type Item,
  project,
  projectionOf,
} from '@isotherm/semantics'
import type { Awaitable } from '../storage/storage.js'
import type { ItemWrite, Table } from '../table/table.js'
import { decodeItem } from '../validation/decode-item.js'
import { checkKey } from '../validation/key-checks.js'
import {
  EXPRESSION,
  ITEM,
  LEGACY_WRITE,
  NAMES,
  RETURN_COLLECTION_METRICS,
  RETURN_CONSUMED_CAPACITY,
  RETURN_ON_FAILURE,
  TABLE_NAME,
} from '../validation/members.js'
import { validationException } from '../wire/service-error.js'
import { checkCondition } from './condition-check.js'
import { consumedCapacity, type ReturnConsumedCapacity } from './consumed-capacity.js'
import { boundCondition, type ExpressionInput, placeholdersOf, updateAst } from './expressions.js'
import { defineOperation, tableOf } from './operation.js'
import { RETURN_VALUES, storedItem } from './put-item.js'

interface UpdateItemInput extends ExpressionInput {
  readonly TableName: string
  readonly Key: unknown
  readonly UpdateExpression?: string
  readonly ConditionExpression?: string
  readonly ReturnValues?: string
  readonly ReturnValuesOnConditionCheckFailure?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

const NO_UPDATE: BoundUpdate = { set: [], remove: [], add: [], delete: [], touched: [] }

export const updateItem = defineOperation<UpdateItemInput>(
  {
    type: 'structure',
    members: {
      TableName: { ...TABLE_NAME, required: true },
      Key: { ...ITEM, required: true },
      UpdateExpression: EXPRESSION,
      ConditionExpression: EXPRESSION,
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: ITEM,
      ReturnValues: RETURN_VALUES,
      ReturnValuesOnConditionCheckFailure: RETURN_ON_FAILURE,
      ReturnConsumedCapacity: RETURN_CONSUMED_CAPACITY,
      ReturnItemCollectionMetrics: RETURN_COLLECTION_METRICS,
    },
    unsupported: ['AttributeUpdates', ...LEGACY_WRITE],
  },
  (input, context): Awaitable<object> => {
    const { UpdateExpression, ConditionExpression } = input
    const placeholders = placeholdersOf(input, { UpdateExpression, ConditionExpression })
    const update =
      UpdateExpression === undefined ? NO_UPDATE : bindUpdate(updateAst(UpdateExpression), placeholders)
    const condition = boundCondition('ConditionExpression', ConditionExpression, placeholders)
    placeholders.assertAllUsed()
    const keyItem = decodeItem(input.Key)
    const table = tableOf(context, input.TableName)
    checkKeyIsKept(table, update)
    checkKey(table.definition.schema, keyItem)
    const key = table.encodeKey(keyItem)
    const before = table.peek(key)
    checkCondition(
      table,
      { key, before, after: undefined },
      condition,
      input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
    )
    const after = storedItem(
      table,
      applyUpdate(update, before?.item ?? keyItem, { isNew: before === undefined }),
      'update',
    )
    const write: ItemWrite = { key, before, after }
    const units = table.write(write)
    const respond = (used: Awaited<typeof units>) => ({
      ...returned(input.ReturnValues, update, before?.item, after.item),
      ...consumedCapacity(table, input.ReturnConsumedCapacity, used),
    })
    return units instanceof Promise ? units.then(respond) : respond(units)
  },
)

function checkKeyIsKept(table: Table, update: BoundUpdate): void {
  const { hash, range } = table.definition.schema
  const changed = [...hash, ...range].find(({ name }) => update.touched.some(([first]) => first === name))
  if (changed === undefined) return
  throw validationException(
    `One or more parameter values were invalid: Cannot update attribute ${changed.name}. This attribute is part of the key`,
  )
}

function returned(
  wanted: string | undefined,
  { touched }: BoundUpdate,
  before: Item | undefined,
  after: Item,
): { Attributes?: Item } {
  switch (wanted) {
    case 'ALL_NEW':
      return { Attributes: after }
    case 'ALL_OLD':
      return before === undefined ? {} : { Attributes: before }
    case 'UPDATED_NEW':
      return unlessEmpty(project(projectionOf(touched), after))
    case 'UPDATED_OLD':
      return unlessEmpty(project(projectionOf(touched), before ?? {}))
    default:
      return {}
  }
}

function unlessEmpty(attributes: Item): { Attributes?: Item } {
  return Object.keys(attributes).length === 0 ? {} : { Attributes: attributes }
}
