import type { PutItemCommandInput } from '@aws-sdk/client-dynamodb'
import { type Item, itemBytes, writeUnits } from '@isotherm/semantics'
import type { ItemWrite } from '../sdk/item-write.js'

/** The write units of a put, or 1 for an invalid item, which the service will reject with its own error. */
export function putUnits({ Item }: PutItemCommandInput): number {
  return unitsOf(Item)
}

/**
 * The write units of a write as far as the request shows them. For an update or delete this is the minimum, because the
 * existing item is only known afterwards.
 */
export function writeUnitsOf(write: ItemWrite): number {
  if (write.operation === 'PutItem') return putUnits(write.input)
  const { Key, ExpressionAttributeValues } = write.input
  return unitsOf(Key, ExpressionAttributeValues)
}

function unitsOf(...attributes: readonly PutItemCommandInput['Item'][]): number {
  let bytes = 0
  try {
    for (const each of attributes) bytes += itemBytes(each as unknown as Item)
    return writeUnits(bytes)
  } catch {
    return 1
  }
}
