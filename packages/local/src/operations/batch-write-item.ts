import {
  DUPLICATE_KEYS_TEXT,
  type Item,
  MAX_BATCH_WRITE_REQUESTS,
  NO_DATATYPE_TEXT,
  noItemsText,
  SEVERAL_DATATYPES_TEXT,
  writeCountText,
} from '@isotherm/semantics'
import { Throttled } from '../capacity/throttled.js'
import { validationException } from '../errors/service-error.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { StoredItem } from '../storage/ordered-map.js'
import { nowAndOverTurns } from '../storage/over-turns.js'
import type { Awaitable } from '../storage/storage.js'
import { ItemLocked } from '../table/item-locks.js'
import type { WriteUnits } from '../table/item-write.js'
import type { Table } from '../table/table.js'
import { TableGone } from '../table/table-gone.js'
import { decodeGivenKey, decodeItem } from '../validation/decode-item.js'
import { checkKey, checkKeyMatches } from '../validation/key-checks.js'
import { ITEM, RETURN_COLLECTION_METRICS, RETURN_CONSUMED_CAPACITY, TABLE } from '../validation/members.js'
import { storedItem } from '../validation/stored-item.js'
import { OLDER_VALUE_LAYER } from '../validation/value-layer.js'
import { arrangedBatch } from '../validation/write-violations.js'
import { MOST_TABLES_OF_A_BATCH, writesEcho } from './batch-echo.js'
import { BatchUnits, type ReturnConsumedCapacity } from './consumed-capacity.js'
import {
  type ItemCollectionMetrics,
  itemCollectionMetrics,
  type ReturnItemCollectionMetrics,
} from './item-collection-metrics.js'
import { defineOperation, noteConflict, type OperationContext, tableOf } from './operation.js'

type WriteRequest = {
  readonly PutRequest?: { readonly Item: unknown }
  readonly DeleteRequest?: { readonly Key: unknown }
}

interface BatchWriteItemInput {
  readonly RequestItems: { readonly [table: string]: readonly WriteRequest[] }
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
}

/** One member of a batch, checked, with the key of its item. */
interface BatchedWrite {
  readonly tableName: string
  readonly table: Table
  readonly request: WriteRequest
  readonly key: EncodedKey
  readonly after: StoredItem | undefined
}

/** Reading and storing a batch of 16 MB takes hundreds of milliseconds, and so many bytes a few. */
const STORED_BYTES_PER_TURN = 256 * 1024

export const batchWriteItem = defineOperation<BatchWriteItemInput>(
  {
    type: 'structure',
    members: {
      RequestItems: {
        type: 'map',
        required: true,
        keys: TABLE,
        printed: writesEcho,
        most: {
          members: MOST_TABLES_OF_A_BATCH,
          refusal: (_member, _count, requests) => writeCountText(writesEcho(requests)),
        },
        of: {
          type: 'list',
          of: {
            type: 'structure',
            members: {
              PutRequest: { type: 'structure', members: { Item: { ...ITEM, required: true } } },
              DeleteRequest: { type: 'structure', members: { Key: { ...ITEM, required: true } } },
            },
          },
        },
      },
      ReturnConsumedCapacity: RETURN_CONSUMED_CAPACITY,
      ReturnItemCollectionMetrics: RETURN_COLLECTION_METRICS,
    },
    arranged: arrangedBatch,
  },
  (input, context) => nowAndOverTurns(writeInSteps(decodeBatch(input, context), input, context)),
)

/**
 * Makes the writes. Those of a small batch run in one turn, so that they share one flush to disk. A large one is decoded and
 * encoded over many turns of the event loop, if it is on disk.
 */
function* writeInSteps(
  writes: readonly BatchedWrite[],
  input: BatchWriteItemInput,
  context: OperationContext,
): Generator<undefined, Awaitable<object>, undefined> {
  const units = new BatchUnits(input.ReturnConsumedCapacity)
  const unprocessed = new Map<string, WriteRequest[]>()
  const metrics = new Map<string, ItemCollectionMetrics[]>()
  const written: Promise<WriteUnits>[] = []
  let throttled: Throttled | undefined
  let storedBytes = 0
  let done = 0
  for (const { tableName, table, request, key, after } of writes) {
    if (storedBytes > STORED_BYTES_PER_TURN) {
      yield
      storedBytes = 0
      context.checkCurrent()
      if (table.isGone) throw new TableGone()
    }
    try {
      const write = { key, before: table.peek(key), after }
      const taken = table.write(write)
      if (taken instanceof Promise) {
        const durable = taken.then((used) => noted(units, tableName, used))
        // It may fail while the rest of the batch is written.
        durable.catch(() => {})
        written.push(durable)
        storedBytes += (write.before?.bytes ?? 0) + (after?.bytes ?? 0)
      } else noted(units, tableName, taken)
      const collection = itemCollectionMetrics(table, input.ReturnItemCollectionMetrics, write)
      if (collection !== undefined) metrics.set(tableName, [...(metrics.get(tableName) ?? []), collection])
      done++
    } catch (error) {
      // This operation has no error for a conflict, so such a member is returned as unprocessed, too.
      if (error instanceof Throttled) throttled = error
      else if (error instanceof ItemLocked) noteConflict(context, table)
      else throw error
      unprocessed.set(tableName, [...(unprocessed.get(tableName) ?? []), request])
    }
  }
  if (throttled !== undefined && done === 0) throw throttled
  const answer = () => ({
    UnprocessedItems: Object.fromEntries(unprocessed),
    ...units.consumed(),
    ...(metrics.size > 0 ? { ItemCollectionMetrics: Object.fromEntries(metrics) } : {}),
  })
  return written.length === 0 ? answer() : Promise.all(written).then(answer)
}

function noted(units: BatchUnits, tableName: string, used: WriteUnits): WriteUnits {
  units.add(tableName, used)
  return used
}

/** Checks every member before the first one is written. @throws ServiceError */
function decodeBatch(
  { RequestItems: requests }: BatchWriteItemInput,
  context: OperationContext,
): BatchedWrite[] {
  const entries = Object.entries(requests)
  if (entries.length === 0) {
    throw validationException(noItemsText())
  }
  const count = entries.reduce((sum, [, list]) => sum + list.length, 0)
  if (count > MAX_BATCH_WRITE_REQUESTS || entries.some(([, list]) => list.length === 0)) {
    throw validationException(writeCountText(writesEcho(requests)))
  }
  const writes = entries.flatMap(([tableName, list]) => {
    const table = tableOf(context, tableName)
    return list.map((request) => ({ tableName, table, request, ...decodeWrite(table, request) }))
  })
  if (new Set(writes.map(({ table, key }) => `${table.definition.name}/${key}`)).size < writes.length) {
    throw validationException(DUPLICATE_KEYS_TEXT)
  }
  return writes
}

function decodeWrite(table: Table, { PutRequest: put, DeleteRequest: del }: WriteRequest) {
  if (put !== undefined && del !== undefined) {
    throw validationException(SEVERAL_DATATYPES_TEXT)
  }
  if (put !== undefined) {
    const item: Item = decodeItem(put.Item, OLDER_VALUE_LAYER)
    checkKeyMatches(table.definition.schema, item)
    const after = storedItem(table, item)
    return { key: table.encodeKey(item), after }
  }
  if (del === undefined) {
    throw validationException(NO_DATATYPE_TEXT)
  }
  const key = decodeGivenKey(del.Key, OLDER_VALUE_LAYER)
  checkKey(table.definition.schema, key)
  return { key: table.encodeKey(key), after: undefined }
}
