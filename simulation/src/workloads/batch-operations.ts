import type { WriteRequest } from '@aws-sdk/client-dynamodb'
import type { ItemOperation } from '../invariants/item-history.js'
import { DONE, type Target } from './item-operations.js'

/** One member of a batch of writes: what it should do, and how it is asked for. */
export interface BatchOperation {
  readonly operation: ItemOperation
  readonly request: WriteRequest
}

/** A put, whatever is there. */
export function put(name: string, { key }: Target, value: string): BatchOperation {
  return {
    operation: {
      text: `${name} puts ${value} in a batch`,
      apply: () => ({ state: `${value}|0`, answer: DONE }),
    },
    request: { PutRequest: { Item: { ...key, val: { S: value } } } },
  }
}

/** A deletion, whatever is there. */
export function remove(name: string, { key }: Target): BatchOperation {
  return {
    operation: { text: `${name} deletes in a batch`, apply: () => ({ state: '', answer: DONE }) },
    request: { DeleteRequest: { Key: key } },
  }
}
