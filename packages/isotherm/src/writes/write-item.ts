import { ItemCall } from '../attempts/item-call.js'
import type { Changed, Stale } from '../attempts/outcome.js'
import {
  finishMove,
  homeAmong,
  looksFor,
  MOVE_ATTRIBUTES,
  placementIn,
  possibleShards,
  type ShardView,
} from '../protocol/index.js'
import { locateCopies } from '../reads/locate-copies.js'
import { isRefusedByCondition } from '../sdk/condition-refusal.js'
import type { ItemWrite, ItemWriteOutput } from '../sdk/item-write.js'
import type { RequestContext } from '../sdk/request-context.js'
import { inServiceClass, inServiceWords } from '../sdk/validation-exception.js'
import { appendItem } from './append-item.js'
import { isCalculated } from './calculated.js'
import { checkedKey } from './checked-key.js'
import { isAppend } from './is-append.js'
import { PlacedWrite, type Standing, type WriteOutcome } from './placed-write.js'
import { presentedOutput } from './presented-output.js'
import { viewToFind } from './view-to-find.js'
import type { WrittenTable } from './written-table.js'

/** Nothing is known of the item, which may be created. */
const CREATES: Standing = { exists: false }

/**
 * Writes one item of a sharded table, with the result of an unsharded table.
 *
 * With a random suffix, a plain put goes to any shard. Every other write first searches the item in all shards of the
 * shard map. If the key was never hot, an update first tries its only shard, on the condition that the item is there. An
 * item that does not exist is created in the one shard determined by its sort key, so that concurrent creates of the same
 * item conflict. They can miss each other and both succeed if the shard count changes at that moment: use a calculated
 * suffix for items that are created with a condition. If an application has put an item twice, into two shards, the copy
 * in the lowest one is the item, and a delete removes all copies.
 *
 * With a calculated suffix, the item is written in its shard, on the condition that it is not being moved.
 *
 * @throws IsothermError `key.*`, `command.parameter-unsupported`, and the SDK's own errors, with logical keys
 */
export function writeItem(
  table: WrittenTable,
  write: ItemWrite,
  context: RequestContext,
): Promise<ItemWriteOutput> {
  return inServiceWords(() => {
    const key = checkedKey(table, write)
    if (isAppend(table, write)) return appendItem(table, write.input, key.logical, context)
    const call = new ItemCall(table, context, write.input)
    return writeInPlace(new PlacedWrite(call, write, key))
  })
}

function writeInPlace(placed: PlacedWrite): Promise<ItemWriteOutput> {
  const { call, key } = placed
  const write = (view: ShardView) => writeBy(placed, view)
  const find = () => {
    const view = viewToFind(call.table, key.logical)
    return view instanceof Promise ? view.then(write) : write(view)
  }
  let expectsItem = mayExpectItem(call.table, placed.write)
  const decide = () => {
    const first = expectsItem ? call.table.views.oneShard(key.logical) : undefined
    expectsItem = false
    if (first === undefined) return find()
    const orFind = (view: ShardView | undefined) =>
      view === undefined ? find() : writeInFirst(placed, view, find)
    return first instanceof Promise ? first.then(orFind) : orFind(first)
  }
  return call.decided(decide).then(
    (output) => presentedOutput(call.table, key.logical, call.summed(output)),
    (error: unknown) => {
      throw inServiceClass(error)
    },
  )
}

/**
 * Whether the write may begin with the first shard of a key that was never hot, on the condition that its item is there. A deletion may
 * not: copies of the item in other shards must go, too. A condition that an item is missing is usually true.
 */
function mayExpectItem(
  { placementKind, updateHabit }: WrittenTable,
  { operation, input }: ItemWrite,
): boolean {
  if (placementKind !== 'random' || operation === 'DeleteItem') return false
  return input.ConditionExpression?.includes('attribute_not_exists') !== true && updateHabit.expectsItem()
}

/** Writes the item if it is in the first shard of its key, and finds it otherwise. */
async function writeInFirst(
  placed: PlacedWrite,
  view: ShardView,
  find: () => ReturnType<typeof writeBy>,
): ReturnType<typeof writeBy> {
  const { call, key } = placed
  const { updateHabit } = call.table
  const [shard = 1] = placementIn(call.table).candidates(view, key)
  // mark: first-shard-must-have-the-item
  const outcome = await placed.at(view, shard, { exists: true }).catch((error: unknown) => {
    // The application's own condition is compared with an item that is there.
    if (isRefusedByCondition(error)) updateHabit.learned(true)
    throw error
  })
  if (outcome.kind === 'moving') return finish(placed, outcome.shard)
  if (outcome.kind === 'stale') return find()
  updateHabit.learned(outcome.kind === 'answered')
  return outcome.kind === 'answered' ? outcome : find()
}

/** Writes the item by one view of the shard map. */
function writeBy(
  placed: PlacedWrite,
  view: ShardView,
): Promise<Exclude<WriteOutcome, { readonly kind: 'moving' }>> {
  const creates = placed.write.operation !== 'DeleteItem'
  const places = possibleShards(placed.call.table, view, placed.key, creates)
  const [place] = places
  const written =
    places.length === 1 && place !== undefined
      ? placed.at(view, place, CREATES)
      : writeToOneOf(placed, view, places)
  return written.then((outcome) => (outcome.kind === 'moving' ? finish(placed, outcome.shard) : outcome))
}

/** Writes an item that may be in one of several shards. */
async function writeToOneOf(
  placed: PlacedWrite,
  view: ShardView,
  places: readonly number[],
): Promise<WriteOutcome> {
  const { call, key, write } = placed
  const { options, placementKind } = call.table
  const request = { key, how: whereabouts(options.partitionKey) }
  const copies = await locateCopies(call, view, request, looksFor(view, places))
  if (copies.kind === 'stale') return copies
  const found = copies.output.at(-1)
  if (found === undefined) {
    if (isCalculated(options.suffix)) return options.suffix.create(placed, view)
    return placed.at(view, homeAmong(places, placed.homeIn(view)), { exists: false })
  }
  const moved = found.item[MOVE_ATTRIBUTES.moved]
  if (isCalculated(options.suffix)) {
    const outcome = await options.suffix.move(placed, view, { shard: found.shard, moved })
    if (outcome !== undefined) return outcome
  }
  const outcome = await placed.at(view, found.shard, { exists: true, moved })
  if (write.operation === 'DeleteItem' && placementKind === 'random' && outcome.kind === 'answered') {
    for (const { shard } of copies.output.slice(0, -1)) await removeCopy(placed, view, shard)
  }
  return outcome
}

/**
 * Removes one copy of a deleted item, even if the shard map has changed. A complete retry of the delete would search the
 * item again, find nothing, and return that result.
 */
async function removeCopy(placed: PlacedWrite, view: ShardView, shard: number): Promise<void> {
  const { call, key } = placed
  let known: ShardView | undefined = view
  await call.decided(async () => {
    const current = known ?? (await viewToFind(call.table, key.logical))
    known = undefined
    return placed.remove(current, shard)
  })
}

function whereabouts(partitionKey: string) {
  return {
    // mark: item-is-sought-consistently
    ConsistentRead: true,
    ProjectionExpression: `#isotherm_key, ${MOVE_ATTRIBUTES.moved}`,
    ExpressionAttributeNames: { '#isotherm_key': partitionKey },
  }
}

/**
 * Completes a move that this write encountered, and reads the shard map again, because the cached data may be older
 * than the move.
 */
async function finish({ call, key }: PlacedWrite, source: number): Promise<Changed | Stale> {
  const { table, context } = call
  const finished = await finishMove(table, { key, source, signal: context.options?.abortSignal })
  if (finished.kind === 'changed') await table.views.viewNow(key.logical)
  return finished
}
