import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { CONDITION_FAILED_TEXT } from '@isotherm/semantics'
import type { LogicalKey } from '../keys/key.js'
import type { KeyedTable } from '../keys/keyed-table.js'
import { presentedItem } from '../keys/presented-item.js'
import type { ItemWriteOutput } from '../sdk/item-write.js'

/** Returns the output with logical keys. It is the same object if nothing needs to change. */
export function presentedOutput(
  { options }: KeyedTable,
  key: LogicalKey,
  output: ItemWriteOutput,
): ItemWriteOutput {
  const { Attributes, ItemCollectionMetrics: metrics } = output
  if (Attributes === undefined && metrics === undefined) return output
  return {
    ...output,
    ...(Attributes === undefined ? {} : { Attributes: presentedItem(options, key, Attributes) }),
    ...(metrics?.ItemCollectionKey === undefined
      ? {}
      : {
          ItemCollectionMetrics: {
            ...metrics,
            ItemCollectionKey: presentedItem(options, key, metrics.ItemCollectionKey),
          },
        }),
  }
}

/** Returns the service's error with the logical key of the item, if the application requested the item. */
export function presentedRefusal(
  { options }: KeyedTable,
  key: LogicalKey,
  refusal: ConditionalCheckFailedException,
  asked: string | undefined,
): ConditionalCheckFailedException {
  const { Item } = refusal
  if (Item === undefined) return refusal
  if (asked === 'ALL_OLD') refusal.Item = presentedItem(options, key, Item)
  else delete refusal.Item
  return refusal
}

/** The SDK's error for a condition that fails because there is no item. */
export function conditionFailed(): ConditionalCheckFailedException {
  return new ConditionalCheckFailedException({
    message: CONDITION_FAILED_TEXT,
    $metadata: { httpStatusCode: 400 },
  })
}
