import { type BoundCondition, type Item, RETURN_VALUES_TEXT } from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import { expectedCondition } from '../legacy/expected.js'
import { checkUnmixed } from '../legacy/unmixed.js'
import type { StoredItem } from '../storage/ordered-map.js'
import type { Table } from '../table/table.js'
import { decodeGivenKey, decodeItem } from '../validation/decode-item.js'
import { inNewWords } from '../validation/in-new-words.js'
import { checkConditionPaths } from '../validation/key-paths.js'
import { ITEM } from '../validation/members.js'
import { arrangedWrite, isOfOlderComponent } from '../validation/write-violations.js'
import { boundCondition, placeholdersOf } from './expressions.js'
import { defineOperation, type Operation, tableOf } from './operation.js'
import { checkCondition, makeWrite, WRITE_MEMBERS, type WriteInput } from './write-request.js'

/**
 * Defines PutItem and DeleteItem, whose result does not depend on the existing item.
 * @param member the member that holds the item, or its key.
 * @param afterOf the item after the write. It throws a ServiceError when the table does not accept the given one.
 */
export function replacingWrite<Member extends 'Item' | 'Key'>(
  member: Member,
  afterOf: (table: Table, given: Item) => StoredItem | undefined,
): Operation {
  return defineOperation<WriteInput & { readonly [name in Member]: unknown }>(
    {
      type: 'structure',
      members: { ...WRITE_MEMBERS, [member]: { ...ITEM, required: true } },
      arranged: arrangedWrite(false),
    },
    (input, context) => {
      // The older component checks this before the depth of values, and does not count its errors.
      if (!returnsOld(input) && isOfOlderComponent(input)) throw validationException(RETURN_VALUES_TEXT)
      const { given, condition } = inNewWords(() => {
        checkUnmixed(input, ['Expected', 'ConditionalOperator'], ['ConditionExpression'])
        const item = (member === 'Key' ? decodeGivenKey : decodeItem)(input[member])
        if (!returnsOld(input)) throw validationException(RETURN_VALUES_TEXT)
        return { given: item, condition: onlyCondition(input) }
      })
      const table = tableOf(context, input.TableName)
      checkConditionPaths(table, condition)
      const after = afterOf(table, given)
      const key = table.encodeKey(given)
      const before = table.peek(key)
      checkCondition(table, { key, before, make: () => after }, condition, input)
      return makeWrite(
        table,
        { key, before, after },
        input,
        input.ReturnValues === 'ALL_OLD' ? before?.item : undefined,
      )
    },
  )
}

/** Whether a request asks for nothing back that only updates support. */
function returnsOld({ ReturnValues: returnValues }: WriteInput): boolean {
  return returnValues === undefined || returnValues === 'NONE' || returnValues === 'ALL_OLD'
}

/** The condition of a request that has no other expression. @throws ServiceError or ValidationError */
function onlyCondition(input: WriteInput): BoundCondition | undefined {
  const { ConditionExpression } = input
  const placeholders = placeholdersOf(input, { ConditionExpression })
  const expected = expectedCondition(input)
  const condition = boundCondition('ConditionExpression', ConditionExpression, placeholders)
  placeholders.assertAllUsed()
  return condition ?? expected
}
