import type {
  BatchGetItemCommandInput,
  BatchGetItemCommandOutput,
  KeysAndAttributes,
} from '@aws-sdk/client-dynamodb'
import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb'
import {
  DUPLICATE_KEYS_TEXT,
  MAX_BATCH_GET_KEYS,
  TOO_MANY_KEYS_TEXT,
  tableKeysText,
} from '@isotherm/semantics'
import type { Key, PlacedRead, ReadSource } from '../attempts/read-many.js'
import { SummedMetadata } from '../attempts/summed-metadata.js'
import { refuseLegacy } from '../errors/refuse.js'
import { readItemKey } from '../keys/item-key.js'
import type { LogicalKey } from '../keys/key.js'
import { presentedItem } from '../keys/presented-item.js'
import { type CountedTable, MOVE_ATTRIBUTES } from '../protocol/index.js'
import { type SearchOutcome, type SearchTarget, searchItems } from '../reads/item-search.js'
import { tableSources } from '../reads/read-sources.js'
import type { ReadTable } from '../scaling/read-heat.js'
import { CapacityByTable } from '../sdk/consumed-capacity.js'
import type { TablesByName } from '../sdk/tables-by-name.js'
import type { TakenCommand } from '../sdk/taken-command.js'
import { inServiceWords, validationException } from '../sdk/validation-exception.js'

type SensedTable = CountedTable & ReadTable

/** One key of a sharded table, and the attributes to return of its item. */
interface WantedItem extends SearchTarget {
  readonly tableName: string
  readonly hides: readonly string[]
}

/** A parsed request. */
interface BatchPlan {
  readonly wanted: readonly WantedItem[]
  /** Keys of unsharded tables. */
  readonly plain: readonly PlacedRead[]
  readonly responses: ReadonlyMap<string, Key[]>
}

/**
 * Reads each key from all its possible shards, together with those of unsharded tables.
 *
 * If the service leaves a shard of a key unprocessed, the logical key is returned as unprocessed, unless its item was
 * found in another shard.
 */
export async function batchGetItem({
  tables,
  request,
  options,
}: TakenCommand<SensedTable>): Promise<BatchGetItemCommandOutput> {
  const input = request.input as unknown as BatchGetItemCommandInput
  const parts = input.RequestItems ?? {}
  if (Object.values(parts).some(({ Keys = [] }) => Keys.length === 0)) {
    // The service should report the error of a table without keys. It then reads none of the other tables.
    return tables.client.send(new BatchGetItemCommand(input), options)
  }
  requireFewKeys(parts)
  const plan = planned(tables, parts)
  const metadata = new SummedMetadata()
  const capacity = new CapacityByTable()
  const { ReturnConsumedCapacity: returnConsumedCapacity } = input
  const together = { client: tables.client, request, options, returnConsumedCapacity, metadata, capacity }
  const { outcomes, left } = await searchItems(plan.wanted, viewForRead(plan.wanted), together, plan.plain)
  // A table can have the name of a property that every object has, such as `constructor`.
  const unprocessed = new Map<string, KeysAndAttributes>()
  const leaveOut = (tableName: string, key: Key) => {
    const rest = unprocessed.get(tableName) ?? { ...parts[tableName], Keys: [] }
    rest.Keys?.push(key)
    unprocessed.set(tableName, rest)
  }
  for (const { source, key } of left) leaveOut(source.tableName, key)
  for (const [index, outcome] of outcomes.entries()) {
    const wanted = plan.wanted[index]
    if (wanted === undefined) continue
    const item = itemOf(outcome)
    if (item !== undefined) plan.responses.get(wanted.tableName)?.push(presented(wanted, item))
    else if (outcome.isPartial) leaveOut(wanted.tableName, wanted.given)
  }
  return {
    $metadata: metadata.total(),
    Responses: Object.fromEntries(plan.responses),
    UnprocessedKeys: Object.fromEntries(unprocessed),
    ...capacity.answer(returnConsumedCapacity),
  }
}

/** A consistent read must include shards that were added recently, and it may not use a view that has ended. */
function viewForRead(wanted: readonly WantedItem[]) {
  const isConsistent = ({ sources }: WantedItem) => sources.asked === sources.consistent
  const consistent = new Set<CountedTable>(wanted.filter(isConsistent).map(({ table }) => table))
  return (table: CountedTable, key: LogicalKey) =>
    table.views.forRead(key, { consistent: consistent.has(table) })
}

/** A copy that is being moved is the item only if its target shard is known to have none. */
function itemOf({ copies, isPartial }: SearchOutcome): Key | undefined {
  const item = copies.at(-1)?.item
  return isPartial && item?.[MOVE_ATTRIBUTES.moving] !== undefined ? undefined : item
}

function presented({ table, itemKey, hides }: WantedItem, item: Key): Key {
  const shown = presentedItem(table.options, itemKey.logical, item)
  for (const attribute of hides) delete shown[attribute]
  return shown
}

function planned(
  tables: TablesByName<SensedTable>,
  parts: Readonly<Record<string, KeysAndAttributes>>,
): BatchPlan {
  const wanted: WantedItem[] = []
  const plain: PlacedRead[] = []
  const responses = new Map<string, Key[]>()
  for (const [tableName, part] of Object.entries(parts)) {
    const items: Key[] = []
    responses.set(tableName, items)
    const table = tables.of(tableName)
    if (table !== undefined) {
      wanted.push(...wantedItems(table, tableName, part))
      continue
    }
    const { Keys = [], ...parameters } = part
    const source: ReadSource = { tableName, parameters, found: (item) => items.push(item) }
    plain.push(...Keys.map((key) => ({ source, key })))
  }
  return { wanted, plain, responses }
}

function wantedItems(table: SensedTable, tableName: string, part: KeysAndAttributes): readonly WantedItem[] {
  refuseLegacy(table.options.name, 'BatchGetItem', part, { AttributesToGet: 'Projection' })
  const { sources, hides } = tableSources(table, tableName, part)
  const keys = part.Keys ?? []
  const looksInFirst = part.ConsistentRead === true
  requireDistinct(keys)
  return keys.map((given) => {
    const itemKey = inServiceWords(() => readItemKey(table.options, given))
    return { table, tableName, itemKey, given, sources, hides, looksInFirst }
  })
}

/** Compares keys as written. The service accepts 10 and 1e1 as two keys here, and returns the item twice. */
function requireDistinct(keys: readonly Key[]): void {
  const texts = keys.map((key) =>
    JSON.stringify(
      Object.entries(key)
        .map(([name, value]) => [
          name,
          value?.B instanceof Uint8Array ? Buffer.from(value.B).toString('base64') : value,
        ])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    ),
  )
  if (new Set(texts).size === texts.length) return
  throw validationException(DUPLICATE_KEYS_TEXT)
}

function requireFewKeys(parts: Readonly<Record<string, KeysAndAttributes>>): void {
  const counts = Object.entries(parts).map(([tableName, { Keys = [] }]) => ({ tableName, keys: Keys.length }))
  const most = counts.find(({ keys }) => keys > MAX_BATCH_GET_KEYS)
  if (most !== undefined) {
    throw validationException(tableKeysText(most.tableName))
  }
  if (counts.reduce((sum, { keys }) => sum + keys, 0) > MAX_BATCH_GET_KEYS) {
    throw validationException(TOO_MANY_KEYS_TEXT)
  }
}
