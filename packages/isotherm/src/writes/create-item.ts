import {
  type AttributeValue,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { type Item, KEY_MISMATCH_TEXT } from '@isotherm/semantics'
import { answered, CHANGED } from '../attempts/outcome.js'
import { requestToken } from '../attempts/request-token.js'
import { physicalItemKey } from '../keys/physical-item-key.js'
import { isPastCreations, placementIn, placesBesideHome, type ShardView } from '../protocol/index.js'
import type { ItemWrite, ItemWriteOutput } from '../sdk/item-write.js'
import { freePlaceholder, placeholdersIn, without } from '../sdk/placeholders.js'
import { validationException } from '../sdk/validation-exception.js'
import { cancelledCreation } from './cancelled-creation.js'
import { creationOf } from './creation.js'
import type { PlacedWrite, WriteOutcome } from './placed-write.js'
import { conditionFailed } from './presented-output.js'

const KEY_NAME = '#isotherm_key'

/**
 * Writes an item that is in neither of its two shards. Whether its condition holds, and what it returns, is known
 * without a read. A write that creates the item is a transaction, so that of two processes in neighbouring phases of a
 * change, one creates the item and the other one finds it. Once no process creates items at old places any more, a
 * plain write is enough.
 */
export async function createItem(placed: PlacedWrite, view: ShardView): Promise<WriteOutcome> {
  const { call, write } = placed
  const home = placementIn(call.table).home(view, placed.key)
  // The item was not at its old place, and never comes back there. So it is at its new place, or nowhere.
  // mark: creation-is-plain-at-last
  if (isPastCreations(view)) return placed.at(view, home, { exists: false })
  const { metadata } = call.budget
  requireKeyAlone(placed)
  const { holds, attributes } = creationOf(write, placed.keyAttributes)
  if (!holds) throw metadata.counted(conditionFailed())
  if (write.operation === 'DeleteItem') return answered({ $metadata: metadata.total() })
  const command = new TransactWriteItemsCommand({
    ClientRequestToken: requestToken(call.table.random),
    // mark: creation-checks-other-places
    TransactItems: [creation(placed, home), ...checks(placed, view)],
    ...call.capacityAsked,
    ...metricsAsked(write),
  })
  const onThrottle = placed.onThrottleOf(home)
  const outcome = await call.write<TransactWriteItemsCommandOutput>(command, view, onThrottle)
  if (outcome.kind === 'stale') return outcome
  if (outcome.kind === 'answered') {
    placed.accepted()
    return answered(singleOutput(outcome.output, attributes))
  }
  const cancelled = cancelledCreation(outcome.error)
  if (cancelled === undefined) throw outcome.error
  if (cancelled.kind === 'failed') throw metadata.counted(cancelled.error)
  if (cancelled.kind === 'refused') {
    const lastWord = await call.budget.refused(cancelled.refusal, 1, { onThrottle })
    if (lastWord !== undefined) throw lastWord
  }
  return CHANGED
}

/** The creation has the key alone, so the service would not notice more attributes in the `Key` of the request. */
function requireKeyAlone({ write, keyAttributes }: PlacedWrite): void {
  if (write.operation === 'PutItem') return
  const isAlone = Object.keys(write.input.Key ?? {}).length === Object.keys(keyAttributes).length
  if (!isAlone) throw validationException(KEY_MISMATCH_TEXT)
}

/** The parameter of a transaction that takes the place of a single write. */
export function metricsAsked({ input }: ItemWrite): Pick<ItemWrite['input'], 'ReturnItemCollectionMetrics'> {
  const { ReturnItemCollectionMetrics } = input
  return ReturnItemCollectionMetrics === undefined ? {} : { ReturnItemCollectionMetrics }
}

/**
 * Converts the transaction's output to that of a single write. Its capacity is listed by table, and summed by the call. Its first action
 * writes the item.
 */
export function singleOutput(
  { $metadata, ItemCollectionMetrics }: TransactWriteItemsCommandOutput,
  attributes?: Item,
): ItemWriteOutput {
  const [metrics] = Object.values(ItemCollectionMetrics ?? {}).flat()
  return {
    $metadata,
    ...(attributes === undefined ? {} : { Attributes: attributes as Record<string, AttributeValue> }),
    ...(metrics === undefined ? {} : { ItemCollectionMetrics: metrics }),
  }
}

/** The write itself, in the item's home shard, on the condition that no item exists there. */
function creation({ write, call, key }: PlacedWrite, home: number): TransactWriteItem {
  const { partitionKey } = call.table.options
  const Key = physicalItemKey(call.table, key, home)
  if (write.operation === 'UpdateItem' && write.input.UpdateExpression !== undefined) {
    const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = write.input
    const used = placeholdersIn(UpdateExpression)
    // The condition has already been evaluated, and its placeholders would be rejected as unused.
    const isGone = (placeholder: string) => !used.has(placeholder)
    const names = without(ExpressionAttributeNames, isGone)
    const values = without(ExpressionAttributeValues, isGone)
    const placeholder = freePlaceholder(KEY_NAME, names)
    return {
      Update: {
        TableName: call.tableName,
        Key,
        UpdateExpression,
        ConditionExpression: `attribute_not_exists(${placeholder})`,
        ExpressionAttributeNames: { ...names, [placeholder]: partitionKey },
        ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
      },
    }
  }
  const Item = write.operation === 'PutItem' ? { ...write.input.Item, ...Key } : Key
  // mark: creation-checks-its-own-place
  return { Put: { TableName: call.tableName, Item, ...nothingThere(partitionKey) } }
}

/** Checks that the item is in none of its other shards. */
function checks({ call, key }: PlacedWrite, view: ShardView): readonly TransactWriteItem[] {
  const { partitionKey } = call.table.options
  return placesBesideHome(placementIn(call.table), view, key).map((shard) => ({
    ConditionCheck: {
      TableName: call.tableName,
      Key: physicalItemKey(call.table, key, shard),
      ...nothingThere(partitionKey),
    },
  }))
}

function nothingThere(partitionKey: string) {
  return {
    ConditionExpression: `attribute_not_exists(${KEY_NAME})`,
    ExpressionAttributeNames: { [KEY_NAME]: partitionKey },
  }
}
