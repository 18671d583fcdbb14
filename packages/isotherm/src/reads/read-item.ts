import {
  type AttributeValue,
  GetItemCommand,
  type GetItemCommandInput,
  type GetItemCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { type Item, itemBytes, KEY_MISMATCH_TEXT, readUnits } from '@isotherm/semantics'
import { ItemCall } from '../attempts/item-call.js'
import { type Answered, answered, STALE, type Stale } from '../attempts/outcome.js'
import { refuseLegacy } from '../errors/refuse.js'
import { type ItemKey, readItemKey } from '../keys/item-key.js'
import type { SuffixableKey } from '../keys/key.js'
import { presentedItem } from '../keys/presented-item.js'
import {
  type CountedTable,
  isConfirmed,
  isInTime,
  looksFor,
  possibleShards,
  type ShardView,
} from '../protocol/index.js'
import type { ReadTable, Spread } from '../scaling/read-heat.js'
import { SensedRead } from '../scaling/sensed-read.js'
import { withKeys } from '../sdk/key-projection.js'
import type { RequestContext } from '../sdk/request-context.js'
import { inServiceClass, inServiceWords, validationException } from '../sdk/validation-exception.js'
import { locateCopies } from './locate-copies.js'
import { LEGACY_OF_ITEMS } from './require-supported.js'

/**
 * Reads one item: with a plain read if its shard is certain, or else with reads of all its possible shards.
 *
 * With a random suffix, a key with N shards takes N times the units. If an application has put an item twice, into two
 * shards, the copy in the lowest one is returned.
 *
 * @throws IsothermError `key.*`, `command.parameter-unsupported`, and the SDK's own errors
 */
export function readItem(
  table: CountedTable & ReadTable,
  input: GetItemCommandInput,
  context: RequestContext,
): Promise<GetItemCommandOutput> {
  refuseLegacy(table.options.name, 'GetItem', input, LEGACY_OF_ITEMS)
  const key = inServiceWords(() => readItemKey(table.options, input.Key))
  const call = new ItemCall(table, context, input)
  return readInTime(call, input, key).then(
    (read) => {
      const output = call.summed(read)
      if (output.Item === undefined) return output
      return { ...output, Item: presentedItem(table.options, key.logical, output.Item) }
    },
    (error: unknown) => {
      throw inServiceClass(error)
    },
  )
}

/**
 * Repeats a read that took so long that the item may have moved to a shard that was not read. A consistent read of a random key that
 * was never hot asks the first shard, and the shard map only if the item is not there. Of any other random key, it asks the shards of its
 * last view while it asks the shard map. It asks again if that says something else.
 */
function readInTime(
  call: ItemCall<CountedTable & ReadTable>,
  input: GetItemCommandInput,
  key: ItemKey,
): Promise<GetItemCommandOutput> {
  const { table } = call
  const how = { consistent: input.ConsistentRead === true }
  const inTime = (view: ShardView, reading: ReturnType<typeof readOnce>) =>
    reading.then((outcome) => (isInTime(view, table) ? outcome : STALE))
  const read = (view: ShardView) => inTime(view, readOnce(call, input, key, view))
  let looksInFirst = how.consistent
  const confirm = (guess: ShardView, early: ReturnType<typeof readOnce>, known: ShardView) =>
    isConfirmed(guess, known, table) ? inTime(known, early) : read(known)
  const inFirst = async (first: ShardView) => {
    looksInFirst = false
    const early = await readOnce(call, input, key, first)
    // mark: first-shard-proves-no-absence
    if (early.kind === 'answered' && early.output.Item !== undefined) return early
    const known = await table.views.forRead(key.logical, how)
    return early.kind === 'stale' ? read(known) : confirm(first, Promise.resolve(early), known)
  }
  const inAll = () => {
    const guess = how.consistent ? table.views.guess(key.logical) : undefined
    const view = table.views.forRead(key.logical, how)
    if (!(view instanceof Promise)) return read(view)
    if (guess === undefined) return view.then(read)
    const early = readOnce(call, input, key, guess)
    // Nobody waits for it if the guess was wrong.
    early.catch(() => {})
    return view.then((known) => confirm(guess, early, known))
  }
  return call.decided(() => {
    const first = looksInFirst ? table.views.oneShard(key.logical) : undefined
    if (first === undefined) return inAll()
    return first instanceof Promise
      ? first.then((view) => (view === undefined ? inAll() : inFirst(view)))
      : inFirst(first)
  })
}

function readOnce(
  call: ItemCall<CountedTable & ReadTable>,
  input: GetItemCommandInput,
  key: ItemKey,
  view: ShardView,
): Promise<Answered<GetItemCommandOutput> | Stale> {
  const places = possibleShards(call.table, view, key)
  const [place] = places
  if (places.length > 1 || place === undefined) return readAll(call, input, key, view, places)
  const { partitionKey } = call.table.options
  const stored: SuffixableKey = call.table.suffix.add(key.logical, place)
  const Key = { ...input.Key, [partitionKey]: stored as AttributeValue }
  // mark: read-keeps-its-consistency
  const command = new GetItemCommand({ ...input, Key })
  call.context.carryMiddleware(command)
  const sensed = new SensedRead(call.table.readHeat, key.logical, place, spreadOf(call.table, key))
  return call.read<GetItemCommandOutput>(command, view, sensed.onThrottle).then((outcome) => {
    if (outcome.kind === 'answered') sensed.answered(unitsOf(outcome.output, input))
    return outcome
  })
}

/** With a random suffix, a read of an item asks every shard, however many there are. */
function spreadOf({ placementKind }: CountedTable, { sort }: ItemKey): Spread | undefined {
  return placementKind === 'calculated' ? { by: 'item', item: sort } : undefined
}

/** The units of a read of one shard. A projection hides a part of the item, and so a part of the units. */
function unitsOf({ ConsumedCapacity, Item }: GetItemCommandOutput, { ConsistentRead }: GetItemCommandInput) {
  const bytes = Item === undefined ? 0 : itemBytes(Item as unknown as Item)
  return ConsumedCapacity?.CapacityUnits ?? readUnits(bytes, ConsistentRead === true ? 'strong' : 'eventual')
}

async function readAll(
  call: ItemCall<CountedTable & ReadTable>,
  input: GetItemCommandInput,
  key: ItemKey,
  view: ShardView,
  places: readonly number[],
): Promise<Answered<GetItemCommandOutput> | Stale> {
  const { partitionKey } = call.table.options
  // The requests contain only the key attributes, so the service itself would not detect extra ones.
  if (Object.keys(input.Key ?? {}).length > (key.sort === undefined ? 1 : 2)) {
    throw validationException(KEY_MISMATCH_TEXT)
  }
  const { request, hides } = withKeys(input, [partitionKey])
  const looks = looksFor(view, places)
  // Two eventually consistent reads could show an item that is being moved in neither shard.
  const ConsistentRead = input.ConsistentRead === true || looks.length > 1
  const copies = await locateCopies(call, view, { key, how: { ...request, ConsistentRead } }, looks)
  if (copies.kind === 'stale') return copies
  const item = copies.output.at(-1)?.item
  for (const attribute of hides) delete item?.[attribute]
  return answered({ ...(item === undefined ? {} : { Item: item }), $metadata: call.budget.metadata.total() })
}
