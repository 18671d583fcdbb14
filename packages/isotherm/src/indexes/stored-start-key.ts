import type { QueryCommandInput } from '@aws-sdk/client-dynamodb'
import type { KeyValue } from '@isotherm/semantics'
import { concurrently } from '../bounded/concurrently.js'
import { IsothermError } from '../errors/isotherm-error.js'
import { type ItemKey, keyValueOf } from '../keys/item-key.js'
import { keyText, type LogicalKey } from '../keys/key.js'
import type { SuffixedKey } from '../keys/shard-names.js'
import { looksFor, placementIn, possibleShards, type ShardView } from '../protocol/index.js'
import { isGivenKey } from '../queries/given-start-keys.js'
import type { QueriedTable } from '../queries/queried-table.js'
import { distinct, type StoredKey } from '../queries/query-source.js'
import { readStored, type StoredPlace } from '../queries/read-stored.js'
import type { TakenCommand } from '../sdk/taken-command.js'
import { inServiceClass } from '../sdk/validation-exception.js'
import { isSameValue } from './same-value.js'

const MAX_CONCURRENT_READS = 25

/** How well an item fits a start key: it is missing, it has the key of the table, or all attributes are equal. */
type Fit = 0 | 1 | 2

/** The start key of an index, and how it may be understood. */
interface StartKey {
  readonly input: QueryCommandInput
  readonly start: StoredKey
  /** The key as the application's, and the item's sort key. */
  readonly key: ItemKey
  /** The key as a stored one; `undefined` if it cannot be. */
  readonly stored: SuffixedKey | undefined
  /** Whether the stored key of one shard is the logical key itself, as in an adopted table. */
  readonly isBare: boolean
  /** An attribute that is not in the start key, and is read with the item. */
  readonly added: string | undefined
}

/** What was found at a place where the item of a start key may be. */
interface Found {
  readonly place: StoredPlace
  readonly fit: Fit
  readonly item: StoredKey | undefined
}

/** The item of a start key with an attribute that the start key lacks. */
export interface LocatedStart {
  readonly input: QueryCommandInput
  readonly item: StoredKey | undefined
}

/**
 * Replaces the logical key in a start key of an index that an application or an object mapper made of an item. Items with
 * equal keys of the index are ordered by their stored keys, so the start key must have the stored key of its item.
 *
 * A logical key such as `user_1` looks like a stored one. It is taken for the stored key of `user` unless only the item of
 * `user_1` exists. The start keys of other processes cost a read for that. The alternative, to mark cursors, fails with
 * mappers, which drop attributes that they do not know.
 *
 * @param queried the logical key that an index with the table's partition key is queried for
 * @returns `undefined` if the start key is left as it is
 * @throws IsothermError `cursor.invalid` for a logical key whose item is in no shard, with a random suffix
 */
export function withStoredStartKey(
  command: TakenCommand<QueriedTable>,
  input: QueryCommandInput,
  queried?: KeyValue,
): Promise<QueryCommandInput> | undefined {
  const known = readStartKey(command.table, input, { queried })
  if (known === undefined) return undefined
  return resolved(command, known).catch((error: unknown) => {
    throw inServiceClass(error)
  })
}

/**
 * The same for an inverted index. Its pages begin behind a logical key, wherever the item is, so only a key that looks
 * like a stored one has to be found out about.
 */
export function withStoredInvertedStartKey(
  command: TakenCommand<QueriedTable>,
  input: QueryCommandInput,
): Promise<QueryCommandInput> | undefined {
  const known = readStartKey(command.table, input, {})
  if (known?.stored === undefined || known.isBare) return undefined
  return ambiguous(command, known, known.stored)
}

/**
 * Looks for the item of a start key, whether it has the logical key or the stored one.
 * @param added an attribute to read with it
 * @throws IsothermError `cursor.invalid` like `withStoredStartKey`
 */
export async function locateStart(
  command: TakenCommand<QueriedTable>,
  input: QueryCommandInput,
  added: string,
): Promise<LocatedStart> {
  const { table } = command
  const { ExclusiveStartKey: start = {} } = input
  const { partitionKey } = table.options
  const known = readStartKey(table, input, { added })
  if (known === undefined) {
    // The key is stored as it is.
    return { input, item: await readStored(command, undefined, start, [partitionKey, added]) }
  }
  const asStored = known.stored && (await readPlace(command, known, known.stored))
  if (asStored?.fit === 2) return { input, item: asStored.item }
  const found = await asLogical(command, known)
  if (found !== undefined && found.fit > (asStored?.fit ?? 0)) {
    return { input: withPlace(table, known, found.place), item: found.item }
  }
  if (known.stored !== undefined) return { input, item: asStored?.item }
  return { input: await resolved(command, known), item: undefined }
}

/** @returns `undefined` if the start key has no logical key */
function readStartKey(
  { options, suffix, placementKind }: QueriedTable,
  input: QueryCommandInput,
  { queried, added }: { readonly queried?: KeyValue | undefined; readonly added?: string | undefined },
): StartKey | undefined {
  const { ExclusiveStartKey: start } = input
  const { partitionKey, sortKey } = options
  const value = start?.[partitionKey]
  if (start === undefined || placementKind === 'bare') return undefined
  if (value === undefined || (value.S === undefined && value.B === undefined)) return undefined
  const logical = value as LogicalKey
  const isQueried = (key: LogicalKey) => queried === undefined || isSameKey(key, queried as LogicalKey)
  if (!suffix.accepts(logical) || !isQueried(logical)) return undefined
  const sort = sortKey === undefined ? undefined : keyValueOf(start[sortKey])
  if (sortKey !== undefined && sort === undefined) return undefined
  const stripped = suffix.strip(logical)
  const isBare = stripped !== undefined && isSameKey(stripped.logical, logical)
  // With a calculated suffix, the first shard of an adopted table has only the items whose home it is.
  const mayBeStored = stripped !== undefined && isQueried(stripped.logical)
  const stored = mayBeStored && !(isBare && placementKind === 'calculated') ? stripped : undefined
  return { input, start, key: { logical, sort }, stored, isBare, added }
}

async function resolved(command: TakenCommand<QueriedTable>, known: StartKey): Promise<QueryCommandInput> {
  const { table } = command
  const { key, stored, input } = known
  if (stored !== undefined) return ambiguous(command, known, stored)
  const view = await table.views.forRead(key.logical, { consistent: false })
  // With a calculated suffix, an item that does not move is at its home.
  const isCertain = table.placementKind === 'calculated' && possibleShards(table, view, key).length === 1
  const found = isCertain ? undefined : await bestOf(command, known, view)
  if (found !== undefined) return withPlace(table, known, found.place)
  if (table.placementKind !== 'calculated') throw itemNotFound(table, input)
  return withPlace(table, known, { ...key, shard: placementIn(table).home(view, key) })
}

/** The key is taken as stored, unless only the item of the logical key exists, or fits better. */
async function ambiguous(
  command: TakenCommand<QueriedTable>,
  known: StartKey,
  stored: SuffixedKey,
): Promise<QueryCommandInput> {
  const { table } = command
  if (isGivenKey(table, known.start)) return known.input
  const asStored = await readPlace(command, known, stored).catch((error: unknown) => {
    if (isForbidden(error)) return undefined
    throw error
  })
  if (asStored === undefined || asStored.fit === 2) return known.input
  const found = await asLogical(command, known)
  return found !== undefined && found.fit > asStored.fit ? withPlace(table, known, found.place) : known.input
}

async function asLogical(command: TakenCommand<QueriedTable>, known: StartKey): Promise<Found | undefined> {
  const view = await command.table.views.forRead(known.key.logical, { consistent: false })
  return bestOf(command, known, view)
}

/** Looks for the item of the logical key in all shards that may have it. */
async function bestOf(
  command: TakenCommand<QueriedTable>,
  known: StartKey,
  view: ShardView,
): Promise<Found | undefined> {
  const { table } = command
  const { logical } = known.key
  const places = possibleShards(table, view, known.key).filter((shard) =>
    table.suffix.hasRoom(logical, shard),
  )
  for (const look of looksFor(view, places)) {
    const found = new Map<number, Found>()
    await concurrently(look, MAX_CONCURRENT_READS, async (shard) => {
      found.set(shard, await readPlace(command, known, { logical, shard }))
    })
    const inOrder = look.flatMap((shard) => found.get(shard) ?? [])
    const best = Math.max(0, ...inOrder.map(({ fit }) => fit))
    // Of two copies of an item that is being moved, the last one counts.
    if (best > 0) return inOrder.findLast(({ fit }) => fit === best)
  }
  return undefined
}

async function readPlace(
  command: TakenCommand<QueriedTable>,
  { start, added }: StartKey,
  place: StoredPlace,
): Promise<Found> {
  const { partitionKey, sortKey } = command.table.options
  const names = Object.keys(start)
  const item = await readStored(command, place, start, distinct([...names, partitionKey, added]))
  if (item === undefined) return { place, fit: 0, item }
  const own = names.filter((name) => name !== partitionKey && name !== sortKey)
  const isSame = own.every((name) => isSameValue(keyValueOf(item[name]), keyValueOf(start[name])))
  return { place, fit: isSame ? 2 : 1, item }
}

/** A role that may only query the index continues with the keys of its pages, which are stored ones. */
function isForbidden(error: unknown): boolean {
  return error instanceof Error && error.name === 'AccessDeniedException'
}

function withPlace(
  table: QueriedTable,
  { input, start }: StartKey,
  { logical, shard }: StoredPlace,
): QueryCommandInput {
  const physical = table.suffix.add(logical, shard)
  return { ...input, ExclusiveStartKey: { ...start, [table.options.partitionKey]: { ...physical } } }
}

function isSameKey(a: LogicalKey, b: LogicalKey): boolean {
  return 'S' in a === 'S' in b && keyText(a) === keyText(b)
}

function itemNotFound({ options: { name, partitionKey } }: QueriedTable, { IndexName }: QueryCommandInput) {
  return new IsothermError(
    'cursor.invalid',
    `The ExclusiveStartKey of the query of ${IndexName} of ${name} has the logical key in ${partitionKey}, and no shard has its item. ` +
      'Items with equal keys of an index are ordered by stored keys, and with a random suffix only the item says in which shard it was. ' +
      'Continue with the LastEvaluatedKey of the page before.',
    { table: name, attribute: partitionKey },
  )
}
