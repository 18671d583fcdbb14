import {
  applyUpdate,
  type BoundUpdate,
  bindUpdate,
  createsItem,
  returnedAttributes,
} from '@isotherm/semantics'
import {
  ATTRIBUTE_UPDATES,
  type AttributeUpdates,
  applyAttributeUpdates,
  boundUpdates,
} from '../legacy/attribute-updates.js'
import { expectedCondition } from '../legacy/expected.js'
import { checkUnmixed } from '../legacy/unmixed.js'
import { decodeGivenKey } from '../validation/decode-item.js'
import { inNewWords } from '../validation/in-new-words.js'
import { checkKeyIsKept } from '../validation/kept-key.js'
import { checkKey } from '../validation/key-checks.js'
import { checkConditionPaths, checkUpdatePaths } from '../validation/key-paths.js'
import { EXPRESSION, ITEM } from '../validation/members.js'
import { checkNesting } from '../validation/nesting.js'
import { storedItem } from '../validation/stored-item.js'
import { checkUpdateCharge } from '../validation/update-charge.js'
import { arrangedWrite } from '../validation/write-violations.js'
import { boundCondition, placeholdersOf, updateAst } from './expressions.js'
import { defineOperation, tableOf } from './operation.js'
import { checkCondition, makeWrite, WRITE_MEMBERS, type WriteInput } from './write-request.js'

interface UpdateItemInput extends WriteInput {
  readonly Key: unknown
  readonly UpdateExpression?: string
  readonly AttributeUpdates?: AttributeUpdates
}

const NO_UPDATE: BoundUpdate = { set: [], remove: [], add: [], delete: [], touched: [] }

/** Reads the part of a request that needs no table. @throws ServiceError or ValidationError */
function readUpdate(input: UpdateItemInput) {
  const { UpdateExpression, ConditionExpression, AttributeUpdates } = input
  checkUnmixed(
    input,
    ['AttributeUpdates', 'Expected', 'ConditionalOperator'],
    ['UpdateExpression', 'ConditionExpression'],
  )
  const keyItem = decodeGivenKey(input.Key)
  const placeholders = placeholdersOf(input, { UpdateExpression, ConditionExpression })
  const updates = AttributeUpdates === undefined ? NO_UPDATE : boundUpdates(AttributeUpdates)
  const expected = expectedCondition(input)
  const update =
    UpdateExpression === undefined ? updates : bindUpdate(updateAst(UpdateExpression), placeholders)
  const condition = boundCondition('ConditionExpression', ConditionExpression, placeholders) ?? expected
  placeholders.assertAllUsed()
  return { keyItem, update, condition }
}

export const updateItem = defineOperation<UpdateItemInput>(
  {
    type: 'structure',
    members: {
      ...WRITE_MEMBERS,
      Key: { ...ITEM, required: true },
      UpdateExpression: EXPRESSION,
      AttributeUpdates: ATTRIBUTE_UPDATES,
    },
    arranged: arrangedWrite(true),
  },
  (input, context) => {
    const { AttributeUpdates } = input
    const { keyItem, update, condition } = inNewWords(() => readUpdate(input))
    const table = tableOf(context, input.TableName)
    checkKeyIsKept(table, update)
    checkUpdatePaths(table, update)
    checkConditionPaths(table, condition)
    checkKey(table.definition.schema, keyItem)
    const key = table.encodeKey(keyItem)
    if (AttributeUpdates === undefined) checkUpdateCharge(update)
    const before = table.peek(key)
    const isNew = before === undefined
    const apply = AttributeUpdates === undefined ? applyUpdate : applyAttributeUpdates
    const make = () =>
      isNew && !createsItem(update)
        ? undefined
        : storedItem(table, checkNesting(update, apply(update, before?.item ?? keyItem, { isNew })), 'update')
    checkCondition(table, { key, before, make }, condition, input)
    const after = make()
    return makeWrite(
      table,
      { key, before, after },
      input,
      returnedAttributes(input.ReturnValues, update, before?.item, after?.item),
    )
  },
)
