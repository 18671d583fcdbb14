import type { PutItemCommandInput } from '@aws-sdk/client-dynamodb'
import { type Item, itemBytes, writeUnits } from '@isotherm/semantics'
import type { ItemWrite } from '../sdk/item-write.js'

/** Write units of a put. An item that the service will refuse has no size; the service shall say what is wrong with it. */
export function putUnits({ Item }: PutItemCommandInput): number {
  return unitsOf(Item)
}

/**
 * Write units of a write as far as the request tells. What an update or a deletion finds is only known afterwards; of
 * them it is the least that they take.
 */
export function writeUnitsOf(write: ItemWrite): number {
  if (write.operation === 'PutItem') return putUnits(write.input)
  const { Key, ExpressionAttributeValues } = write.input
  return unitsOf({ ...Key, ...ExpressionAttributeValues })
}

function unitsOf(attributes: PutItemCommandInput['Item']): number {
  try {
    return writeUnits(itemBytes(attributes as unknown as Item))
  } catch {
    return 1
  }
}
