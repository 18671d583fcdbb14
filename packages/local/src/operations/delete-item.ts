import { decodeItem } from '../validation/decode-item.js'
import { checkKey } from '../validation/key-checks.js'
import { checkConditionPaths } from '../validation/key-paths.js'
import { ITEM } from '../validation/members.js'
import { defineOperation, tableOf } from './operation.js'
import {
  checkCondition,
  checkConditionUnmixed,
  checkReturnsOld,
  makeWrite,
  oldItem,
  onlyCondition,
  WRITE_MEMBERS,
  type WriteInput,
} from './write-request.js'

export const deleteItem = defineOperation<WriteInput & { readonly Key: unknown }>(
  {
    type: 'structure',
    members: { ...WRITE_MEMBERS, Key: { ...ITEM, required: true } },
  },
  (input, context) => {
    checkConditionUnmixed(input)
    const keyItem = decodeItem(input.Key)
    checkReturnsOld(input)
    const condition = onlyCondition(input)
    const table = tableOf(context, input.TableName)
    checkConditionPaths(table, condition)
    checkKey(table.definition.schema, keyItem)
    const key = table.encodeKey(keyItem)
    const write = { key, before: table.peek(key), after: undefined }
    checkCondition(table, { ...write, make: () => undefined }, condition, input)
    return makeWrite(table, write, input, oldItem(write, input))
  },
)
