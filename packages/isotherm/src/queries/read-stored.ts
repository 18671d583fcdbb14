import { type AttributeValue, GetItemCommand, type GetItemCommandOutput } from '@aws-sdk/client-dynamodb'
import type { OnThrottle } from '../attempts/attempt-loop.js'
import { ItemCall } from '../attempts/item-call.js'
import { answerOf } from '../attempts/outcome.js'
import type { LogicalKey } from '../keys/key.js'
import { SensedRead } from '../scaling/sensed-read.js'
import { contextOf } from '../sdk/request-context.js'
import type { TakenCommand } from '../sdk/taken-command.js'
import type { QueriedTable } from './queried-table.js'
import type { StoredKey } from './query-source.js'

/** A place of the item that a start key may mean. */
export interface StoredPlace {
  readonly logical: LogicalKey
  readonly shard: number
}

/**
 * Reads these attributes of one stored item, for the start key of a query. The read is consistent, because an index may
 * have returned the item a moment ago.
 *
 * @param place `undefined` in a table without a suffix
 * @param like a key with the item's sort key, and without a suffix with its partition key
 * @returns `undefined` if no item is there
 */
export async function readStored(
  { table, request, options }: TakenCommand<QueriedTable>,
  place: StoredPlace | undefined,
  like: StoredKey,
  attributes: readonly string[],
): Promise<Record<string, AttributeValue> | undefined> {
  const { partitionKey, sortKey } = table.options
  const TableName = request.input.TableName as string | undefined
  const call = new ItemCall(table, contextOf(request, options), { TableName })
  const names = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey]
  const Key = Object.fromEntries(names.map((name) => [name, like[name] as AttributeValue]))
  if (place !== undefined) Key[partitionKey] = { ...table.suffix.add(place.logical, place.shard) }
  const command = new GetItemCommand({
    TableName,
    Key,
    ConsistentRead: true,
    ProjectionExpression: attributes.map((_, index) => `#${index}`).join(),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, index) => [`#${index}`, name])),
  })
  const onThrottle: OnThrottle =
    place === undefined
      ? async () => undefined
      : new SensedRead(table.readHeat, place.logical, place.shard).onThrottle
  // That the place may be out of date is known only from a later read, so the time does not matter here.
  const always = { validUntil: Number.POSITIVE_INFINITY }
  return answerOf(await call.read<GetItemCommandOutput>(command, always, onThrottle)).Item
}
