import { MAX_BATCH_WRITE_REQUESTS, MAX_TRANSACTION_ACTIONS } from '@isotherm/semantics'
import { isJsonObject } from '../json/json-kind.js'
import { decodeAhead } from '../validation/decode-item.js'
import { OLDER_VALUE_LAYER } from '../validation/value-layer.js'

/**
 * Decodes the items that a request puts, before its operation begins: one in each step. Between steps the caller can do
 * something else. A request that is not valid is left to the operation.
 */
export function* itemsAhead(operation: string, input: unknown): Generator<undefined, void, undefined> {
  if (!isJsonObject(input)) return
  if (operation === 'BatchWriteItem' && isJsonObject(input.RequestItems)) {
    const writes = Object.values(input.RequestItems).flat()
    if (writes.length > MAX_BATCH_WRITE_REQUESTS) return
    for (const write of writes) {
      decodeAhead(itemOf(write, 'PutRequest'), OLDER_VALUE_LAYER)
      yield
    }
  }
  if (operation === 'TransactWriteItems' && Array.isArray(input.TransactItems)) {
    if (input.TransactItems.length > MAX_TRANSACTION_ACTIONS) return
    for (const action of input.TransactItems) {
      decodeAhead(itemOf(action, 'Put'))
      yield
    }
  }
}

function itemOf(action: unknown, member: string): unknown {
  const put = isJsonObject(action) ? action[member] : undefined
  return isJsonObject(put) ? put.Item : undefined
}
