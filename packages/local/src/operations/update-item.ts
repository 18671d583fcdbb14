import {
  applyUpdate,
  type BoundUpdate,
  bindUpdate,
  type Item,
  project,
  projectionOf,
} from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import {
  ATTRIBUTE_UPDATES,
  type AttributeUpdates,
  applyAttributeUpdates,
  boundUpdates,
} from '../legacy/attribute-updates.js'
import { expectedCondition } from '../legacy/expected.js'
import { checkUnmixed } from '../legacy/unmixed.js'
import type { Table } from '../table/table.js'
import type { KeyAttribute } from '../table/table-definition.js'
import { decodeItem } from '../validation/decode-item.js'
import { checkKey } from '../validation/key-checks.js'
import { EXPRESSION, ITEM } from '../validation/members.js'
import { boundCondition, placeholdersOf, updateAst } from './expressions.js'
import { checkConditionPaths, checkUpdatePaths } from './key-paths.js'
import { defineOperation, tableOf } from './operation.js'
import { storedItem } from './put-item.js'
import { checkCondition, makeWrite, WRITE_MEMBERS, type WriteInput } from './write-request.js'

interface UpdateItemInput extends WriteInput {
  readonly Key: unknown
  readonly UpdateExpression?: string
  readonly AttributeUpdates?: AttributeUpdates
}

const NO_UPDATE: BoundUpdate = { set: [], remove: [], add: [], delete: [], touched: [] }

export const updateItem = defineOperation<UpdateItemInput>(
  {
    type: 'structure',
    members: {
      ...WRITE_MEMBERS,
      Key: { ...ITEM, required: true },
      UpdateExpression: EXPRESSION,
      AttributeUpdates: ATTRIBUTE_UPDATES,
    },
  },
  (input, context) => {
    const { UpdateExpression, ConditionExpression, AttributeUpdates } = input
    checkUnmixed(
      input,
      ['AttributeUpdates', 'Expected', 'ConditionalOperator'],
      ['UpdateExpression', 'ConditionExpression'],
    )
    const keyItem = decodeItem(input.Key)
    const placeholders = placeholdersOf(input, { UpdateExpression, ConditionExpression })
    const updates = AttributeUpdates === undefined ? NO_UPDATE : boundUpdates(AttributeUpdates)
    const expected = expectedCondition(input)
    const update =
      UpdateExpression === undefined ? updates : bindUpdate(updateAst(UpdateExpression), placeholders)
    const condition = boundCondition('ConditionExpression', ConditionExpression, placeholders) ?? expected
    placeholders.assertAllUsed()
    const table = tableOf(context, input.TableName)
    checkKeyIsKept(table, update)
    checkUpdatePaths(table, update)
    checkConditionPaths(table, condition)
    checkKey(table.definition.schema, keyItem)
    const key = table.encodeKey(keyItem)
    const before = table.peek(key)
    const isNew = before === undefined
    const apply = AttributeUpdates === undefined ? applyUpdate : applyAttributeUpdates
    const make = () => storedItem(table, apply(update, before?.item ?? keyItem, { isNew }), 'update')
    checkCondition(table, { key, before, make }, condition, input)
    const after = make()
    return makeWrite(
      table,
      { key, before, after },
      input,
      returnedItem(input.ReturnValues, update, before?.item, after.item),
    )
  },
)

/** Checks that an update does not change the key. @throws ServiceError */
export function checkKeyIsKept(table: Table, update: BoundUpdate): void {
  const name = touchedKey(table, update)
  if (name === undefined) return
  throw validationException(
    `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
  )
}

/** The first key attribute of the table that the update would change, or `undefined`. */
export function touchedKey({ definition }: Table, { touched }: BoundUpdate): string | undefined {
  const { hash, range } = definition.schema
  const isTouched = (attribute: KeyAttribute) => touched.some(([first]) => first === attribute.name)
  return (hash.find(isTouched) ?? range.find(isTouched))?.name
}

/** The attributes that an update returns, by `ReturnValues`. */
export function returnedItem(
  wanted: string | undefined,
  { touched }: BoundUpdate,
  before: Item | undefined,
  after: Item,
): Item | undefined {
  switch (wanted) {
    case 'ALL_NEW':
      return after
    case 'ALL_OLD':
      return before
    case 'UPDATED_NEW':
      return unlessEmpty(project(projectionOf(touched), after))
    case 'UPDATED_OLD':
      return unlessEmpty(project(projectionOf(touched), before ?? {}))
    default:
      return undefined
  }
}

function unlessEmpty(attributes: Item): Item | undefined {
  return Object.keys(attributes).length === 0 ? undefined : attributes
}
