import { decodeItem } from '../validation/decode-item.js'
import { checkConditionPaths } from '../validation/key-paths.js'
import { ITEM } from '../validation/members.js'
import { storedItem } from '../validation/stored-item.js'
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

export const putItem = defineOperation<WriteInput & { readonly Item: unknown }>(
  {
    type: 'structure',
    members: { ...WRITE_MEMBERS, Item: { ...ITEM, required: true } },
  },
  (input, context) => {
    checkConditionUnmixed(input)
    const item = decodeItem(input.Item)
    checkReturnsOld(input)
    const condition = onlyCondition(input)
    const table = tableOf(context, input.TableName)
    checkConditionPaths(table, condition)
    const after = storedItem(table, item)
    const key = table.encodeKey(item)
    const before = table.peek(key)
    const write = { key, before, after }
    checkCondition(table, { key, before, make: () => after }, condition, input)
    return makeWrite(table, write, input, oldItem(write, input))
  },
)
