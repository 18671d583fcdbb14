import type { TransactGetItem } from '@aws-sdk/client-dynamodb'
import {
  type CancellationReason,
  type ItemResponse,
  TransactGetItemsCommand,
  type TransactGetItemsCommandInput,
  type TransactGetItemsCommandOutput,
  type TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import { type Item, itemBytes, readUnits } from '@isotherm/semantics'
import { AttemptBudget } from '../attempts/attempt-budget.js'
import { senseThrottles } from '../attempts/sense-throttles.js'
import { MAX_LATE_VIEWS, slowShardMap } from '../attempts/slow-shard-map.js'
import { attemptsOf } from '../attempts/summed-metadata.js'
import { type ItemKey, readItemKey } from '../keys/item-key.js'
import type { LogicalKey } from '../keys/key.js'
import { presentedItem } from '../keys/presented-item.js'
import {
  type CountedTable,
  hasMoves,
  isConfirmed,
  isInTime,
  possibleShards,
  type ShardView,
} from '../protocol/index.js'
import { KeyViews } from '../reads/key-views.js'
import type { ReadTable } from '../scaling/read-heat.js'
import { SensedRead } from '../scaling/sensed-read.js'
import { CapacityByTable } from '../sdk/consumed-capacity.js'
import { withKeys } from '../sdk/key-projection.js'
import type { SendOptions } from '../sdk/physical-client.js'
import type { TablesByName } from '../sdk/tables-by-name.js'
import type { TakenCommand } from '../sdk/taken-command.js'
import { isCancellation } from '../sdk/transaction-errors.js'
import { inServiceWords } from '../sdk/validation-exception.js'
import { isThrottleCode } from './judge-cancellation.js'
import { presentedCancellation } from './presented-cancellation.js'
import { requireFewActions } from './require-few-actions.js'

type SensedTable = CountedTable & ReadTable

/** One member of the request, and its reads. */
interface PlacedGet {
  readonly reads: readonly TransactGetItem[]
  /** `undefined` for unsharded tables. */
  readonly sensed: SensedRead | undefined
  /** Combines the service's responses to the reads into one. */
  present(responses: readonly ItemResponse[]): ItemResponse
  /** Whether the item may be moving, in a transaction of the library. */
  readonly mayMove: boolean
  /** The table whose view of the shard map has expired, if the response arrives now. */
  outdated(): CountedTable | undefined
  /** Whether the item may be where it was not read, if it was not found. */
  mayBeElsewhere(views: KeyViews): Promise<boolean>
}

/**
 * Reads all possible shards of each item at one moment, and responds member by member. If it meets a transaction that moves or creates one
 * of the items while their count changes, it is sent again: without shards there would be no such transaction.
 * @throws IsothermError `shard-map.slow`, `transaction.too-large`, `key.*`, and the SDK's own errors
 */
export async function transactGetItems({
  table,
  tables,
  request,
  options,
}: TakenCommand<SensedTable>): Promise<TransactGetItemsCommandOutput> {
  const input = request.input as unknown as TransactGetItemsCommandInput
  const members = input.TransactItems ?? []
  // Of all looks together, as for the other reads.
  const budget = new AttemptBudget(table, options?.abortSignal)
  const { metadata } = budget
  const capacity = new CapacityByTable()
  let looksInFirst = true
  let late = 0
  for (;;) {
    const views = new KeyViews(viewForRead)
    const place = (member: TransactGetItem) => placedGet(tables, member, views, looksInFirst)
    const placed = await Promise.all(members.map(place))
    looksInFirst = false
    const reads = placed.flatMap((get) => get.reads)
    requireFewActions('TransactGetItems', members.length, reads.length)
    const command = new TransactGetItemsCommand({ ...input, TransactItems: reads })
    request.carryMiddleware(command)
    const output = await sent(tables, command, options, placed).catch(async (error: unknown) => {
      if (!isConflictWithMoves(error, placed)) throw error
      metadata.attempts += attemptsOf(error)
      const lastWord = await budget.refused({ error }, 1)
      if (lastWord !== undefined) throw lastWord
    })
    if (output === undefined) continue
    metadata.add(output.$metadata)
    capacity.add(output.ConsumedCapacity)
    const outdated = placed.map((get) => get.outdated()).find((table) => table !== undefined)
    if (outdated !== undefined) {
      if (late++ >= MAX_LATE_VIEWS) throw slowShardMap(outdated.options)
      continue
    }
    const parts = partsOf(placed, output.Responses ?? [])
    if (await areElsewhere(placed, parts, views)) continue
    for (const [at, part] of parts.entries()) placed[at]?.sensed?.answered(unitsOf(part), part.length)
    return {
      $metadata: metadata.total(),
      ...capacity.answer(input.ReturnConsumedCapacity),
      Responses: parts.map((part, at) => placed[at]?.present(part) ?? {}),
    }
  }
}

/** Whether any of the items that were not found may be in a shard that was not read. */
async function areElsewhere(
  placed: readonly PlacedGet[],
  parts: readonly (readonly ItemResponse[])[],
  views: KeyViews,
): Promise<boolean> {
  const missing = placed.filter((_, at) => parts[at]?.every(({ Item }) => Item === undefined))
  return (await Promise.all(missing.map((get) => get.mayBeElsewhere(views)))).includes(true)
}

/** Whether a transaction was cancelled only because of others, on items that may be moving. */
function isConflictWithMoves(
  error: unknown,
  placed: readonly PlacedGet[],
): error is TransactionCanceledException {
  if (!isCancellation(error)) return false
  const blamed = (error.CancellationReasons ?? []).map(({ Code }, at) => ({ Code, get: placed[at] }))
  const others = blamed.filter(({ Code }) => Code !== 'None')
  return (
    others.length > 0 &&
    others.every(({ Code, get }) => Code === 'TransactionConflict' && get?.mayMove === true)
  )
}

async function sent(
  { client }: TablesByName<SensedTable>,
  command: TransactGetItemsCommand,
  options: SendOptions | undefined,
  placed: readonly PlacedGet[],
): Promise<TransactGetItemsCommandOutput> {
  senseThrottles(command, (reasons) => {
    for (const { sensed, reads } of placed) sensed?.throttled(reasons, { shards: reads.length })
  })
  try {
    return await client.send(command, options)
  } catch (error) {
    if (!isCancellation(error)) throw error
    const parts = partsOf(placed, error.CancellationReasons ?? [])
    for (const [at, part] of parts.entries()) {
      const shards = part.filter(({ Code }) => isThrottleCode(Code)).length
      // A cancellation has no ThrottlingReasons.
      if (shards > 0) placed[at]?.sensed?.throttled([], { shards })
    }
    throw presentedCancellation(error, parts.map(firstReason))
  }
}

async function placedGet(
  tables: TablesByName<SensedTable>,
  member: TransactGetItem,
  views: KeyViews,
  looksInFirst: boolean,
): Promise<PlacedGet> {
  const { Get: get } = member
  const table = tables.of(get?.TableName)
  if (get === undefined || table === undefined) {
    return {
      reads: [member],
      sensed: undefined,
      present: ([response = {}]) => response,
      mayMove: false,
      outdated: () => undefined,
      mayBeElsewhere: async () => false,
    }
  }
  const itemKey = inServiceWords(() => readItemKey(table.options, get.Key))
  const first = looksInFirst ? await table.views.oneShard(itemKey.logical) : undefined
  const view = first ?? (await views.of(table, itemKey.logical))
  // mark: transaction-reads-every-place
  const places = possibleShards(table, view, itemKey)
  const isSpread = table.placementKind === 'calculated' && places.length === 1
  const spread = isSpread ? ({ by: 'item', item: itemKey.sort } as const) : undefined
  const { partitionKey } = table.options
  // An item without any of the projected attributes must not look like a missing one.
  const { request, hides } = places.length > 1 ? withKeys(get, [partitionKey]) : { request: {}, hides: [] }
  const reads = places.map((shard) => ({
    Get: {
      ...get,
      ...request,
      Key: { ...get.Key, [partitionKey]: { ...table.suffix.add(itemKey.logical, shard) } },
    },
  }))
  return {
    reads,
    sensed: new SensedRead(table.readHeat, itemKey.logical, places[0] ?? 1, spread),
    present: (responses) => presented(table, itemKey, hides, responses),
    mayMove: places.length > 1 && hasMoves(view),
    outdated: () => (isInTime(view, table) ? undefined : table),
    mayBeElsewhere: async (known) =>
      first !== undefined && !isConfirmed(first, await known.of(table, itemKey.logical), table),
  }
}

/** A transaction reads consistently: it must include shards that were added recently, and it may not use a view that has ended. */
function viewForRead(table: CountedTable, key: LogicalKey): ShardView | Promise<ShardView> {
  // mark: transaction-reads-by-a-valid-view
  return table.views.forRead(key, { consistent: true })
}

/** Of several copies, which only applications create, the one in the lowest shard counts, which is read last. */
function presented(
  table: CountedTable,
  { logical }: ItemKey,
  hides: readonly string[],
  responses: readonly ItemResponse[],
): ItemResponse {
  const found = responses.findLast(({ Item }) => Item !== undefined)?.Item
  if (found === undefined) return {}
  const shown = presentedItem(table.options, logical, found)
  for (const attribute of hides) delete shown[attribute]
  return { Item: shown }
}

function unitsOf(responses: readonly ItemResponse[]): number {
  let units = 0
  for (const { Item: item = {} } of responses) {
    units += readUnits(itemBytes(item as unknown as Item), 'transactional')
  }
  return units
}

function firstReason(reasons: readonly CancellationReason[]): CancellationReason {
  return reasons.find(({ Code }) => Code !== 'None') ?? { Code: 'None' }
}

/** The responses that belong to each member. */
function partsOf<Answer>(
  placed: readonly PlacedGet[],
  answers: readonly Answer[],
): readonly (readonly Answer[])[] {
  let at = 0
  return placed.map(({ reads }) => {
    at += reads.length
    return answers.slice(at - reads.length, at)
  })
}
