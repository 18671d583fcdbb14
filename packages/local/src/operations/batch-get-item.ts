import {
  DUPLICATE_KEYS_TEXT,
  type Item,
  MAX_BATCH_BYTES,
  MAX_BATCH_GET_KEYS,
  MAX_ITEM_BYTES,
  noItemsText,
  type Projection,
  project,
  TOO_MANY_KEYS_TEXT,
  tableKeysText,
} from '@isotherm/semantics'
import { Throttled } from '../capacity/throttled.js'
import { validationException } from '../errors/service-error.js'
import { canonicalText } from '../json/canonical-text.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { ATTRIBUTES_TO_GET } from '../legacy/attributes-to-get.js'
import { checkUnmixed } from '../legacy/unmixed.js'
import { nowAndOverTurns } from '../storage/over-turns.js'
import { DECODED_BYTES_PER_TURN } from '../table/decoded-in-steps.js'
import { tableUnits } from '../table/item-write.js'
import { isFromDisk } from '../table/printed-item.js'
import type { Table } from '../table/table.js'
import { TableGone } from '../table/table-gone.js'
import { decodeGivenKey } from '../validation/decode-item.js'
import { checkKey } from '../validation/key-checks.js'
import { checkProjectionPaths } from '../validation/key-paths.js'
import { EXPRESSION, ITEM, NAMES, RETURN_CONSUMED_CAPACITY, TABLE } from '../validation/members.js'
import { MOST_TABLES_OF_A_BATCH, readsEcho } from './batch-echo.js'
import { BatchUnits, type ReturnConsumedCapacity } from './consumed-capacity.js'
import { defineOperation, type OperationContext, tableOf } from './operation.js'
import { onlyProjection, type ProjectionInput } from './projection-request.js'

interface KeysOfTable extends ProjectionInput {
  readonly Keys: readonly unknown[]
  readonly ConsistentRead?: boolean
}

interface BatchGetItemInput {
  readonly RequestItems: { readonly [table: string]: KeysOfTable }
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

/** The checked part of a batch that concerns one table. */
interface BatchedRead {
  readonly tableName: string
  readonly table: Table
  readonly request: KeysOfTable
  readonly projection: Projection | undefined
  readonly keys: readonly { readonly given: unknown; readonly key: EncodedKey }[]
}

export const batchGetItem = defineOperation<BatchGetItemInput>(
  {
    type: 'structure',
    members: {
      RequestItems: {
        type: 'map',
        required: true,
        keys: TABLE,
        printed: readsEcho,
        most: { members: MOST_TABLES_OF_A_BATCH, refusal: () => TOO_MANY_KEYS_TEXT },
        of: {
          type: 'structure',
          members: {
            Keys: { type: 'list', required: true, of: ITEM, length: { min: 1 }, newWording: true },
            ConsistentRead: { type: 'boolean' },
            ProjectionExpression: EXPRESSION,
            ExpressionAttributeNames: NAMES,
            AttributesToGet: ATTRIBUTES_TO_GET,
          },
        },
      },
      ReturnConsumedCapacity: RETURN_CONSUMED_CAPACITY,
    },
  },
  (input, context) => nowAndOverTurns(readInSteps(decodeBatch(input, context), input, context)),
)

/** Reads the items. On disk, those of a large batch are decoded over many turns of the event loop. */
function* readInSteps(
  reads: readonly BatchedRead[],
  input: BatchGetItemInput,
  context: OperationContext,
): Generator<undefined, object, undefined> {
  const units = new BatchUnits(input.ReturnConsumedCapacity)
  const responses = new Map<string, Item[]>()
  const unprocessed = new Map<string, KeysOfTable>()
  let throttled: Throttled | undefined
  let bytes = 0
  let decodedBytes = 0
  let done = 0
  let isFull = false
  for (const { tableName, table, request, projection, keys } of reads) {
    const found: Item[] = []
    const left: unknown[] = []
    responses.set(tableName, found)
    for (const { given, key } of keys) {
      // Near the limit, the size of an item is looked up before it is read, because one that is not returned costs nothing.
      const isNear = bytes + MAX_ITEM_BYTES > MAX_BATCH_BYTES
      isFull ||= isNear && bytes + (table.stored(key)?.bytes ?? 0) > MAX_BATCH_BYTES
      if (isFull) {
        left.push(given)
        continue
      }
      if (decodedBytes > DECODED_BYTES_PER_TURN) {
        yield
        decodedBytes = 0
        context.checkCurrent()
        if (table.isGone) throw new TableGone()
      }
      try {
        const read = table.getItem(key, request.ConsistentRead ? 'strong' : 'eventual')
        units.add(tableName, tableUnits(read.units))
        done++
        if (read.stored === undefined) continue
        bytes += read.stored.bytes
        if (isFromDisk(read.stored)) decodedBytes += read.stored.bytes
        found.push(projection === undefined ? read.stored.item : project(projection, read.stored.item))
      } catch (error) {
        if (!(error instanceof Throttled)) throw error
        throttled = error
        left.push(given)
      }
    }
    if (left.length > 0) unprocessed.set(tableName, { ...request, Keys: left })
  }
  if (throttled !== undefined && done === 0) throw throttled
  return {
    Responses: Object.fromEntries(responses),
    UnprocessedKeys: Object.fromEntries(unprocessed),
    ...units.consumed(),
  }
}

/** Checks every key before the first one is read. @throws ServiceError */
function decodeBatch(
  { RequestItems: requests }: BatchGetItemInput,
  context: OperationContext,
): BatchedRead[] {
  const entries = Object.entries(requests)
  if (entries.length === 0) {
    throw validationException(noItemsText())
  }
  for (const [tableName, { Keys }] of entries) {
    if (Keys.length <= MAX_BATCH_GET_KEYS) continue
    throw validationException(tableKeysText(tableName))
  }
  if (entries.reduce((sum, [, { Keys }]) => sum + Keys.length, 0) > MAX_BATCH_GET_KEYS) {
    throw validationException(TOO_MANY_KEYS_TEXT)
  }
  checkUnmixed(
    {
      AttributesToGet: entries.find(([, each]) => each.AttributesToGet !== undefined)?.[1].AttributesToGet,
      ProjectionExpression: entries.find(([, each]) => each.ProjectionExpression !== undefined)?.[1]
        .ProjectionExpression,
    },
    ['AttributesToGet'],
    ['ProjectionExpression'],
  )
  // Mistakes inside a part are reported before missing tables.
  const parts = entries.map(([tableName, request]) => {
    checkDistinct(request.Keys)
    return { tableName, request, projection: onlyProjection(request) }
  })
  return parts.map(({ tableName, request, projection }) => {
    const table = tableOf(context, tableName)
    checkProjectionPaths(table, projection)
    const keys = request.Keys.map((given) => {
      const key = decodeGivenKey(given)
      checkKey(table.definition.schema, key)
      return { given, key: table.encodeKey(key) }
    })
    return { tableName, table, request, projection, keys }
  })
}

/**
 * Compares keys as written. Unlike BatchWriteItem, the service accepts 10 and 1e1 as two keys here, and returns the
 * item twice.
 */
function checkDistinct(keys: readonly unknown[]): void {
  if (keys.length === 1 || new Set(keys.map(canonicalText)).size === keys.length) return
  throw validationException(DUPLICATE_KEYS_TEXT)
}
