import { IsothermError } from '../../errors/isotherm-error.js'
import type { ItemKey } from '../../keys/item-key.js'
import { plainKey } from '../../keys/key.js'
import { cancellationCodes, isCancellation } from '../../sdk/transaction-errors.js'
import type { MovingTable } from './moving-table.js'

/** An item, and the shards of its move. */
interface Moving {
  readonly key: ItemKey
  readonly source: number
  readonly target: number
}

const ITEM_IS_FULL = ['ValidationError', 'ValidationException']
const SHARD_IS_FULL = ['ItemCollectionSizeLimitExceeded', 'ItemCollectionSizeLimitExceededException']

/**
 * Returns the error for an item that cannot move because something is full: the item has no room for the attributes of a move, or a
 * shard of a table with a local index has none for the item. Returns any other error unchanged.
 *
 * The library repeats keys and attributes that are stored already. So the service can find only the size invalid, or an attribute that
 * has become the key of an index since the item was written.
 *
 * @param writes the shard that refused the write
 */
export function explained(
  { options: { name: table } }: MovingTable,
  { key, source, target }: Moving,
  writes: number,
  error: unknown,
): unknown {
  const reasons = [error instanceof Error ? error.name : undefined, ...cancellationCodes(error)]
  const has = (names: readonly string[]) => reasons.some((reason) => names.includes(reason ?? ''))
  const isItem = has(ITEM_IS_FULL)
  if (!isItem && !has(SHARD_IS_FULL)) return error
  const logicalKey = plainKey(key.logical)
  const item = `The item with the sort key ${JSON.stringify(key.sort)} of ${String(logicalKey)} in ${table} cannot move from shard ${source} to shard ${target}`
  const why = isItem
    ? `the service refuses the item${saidBy(error)}. A move adds up to 64 bytes to an item. Make it smaller, or change the attribute that is invalid`
    : `the items of shard ${writes} have reached the 10 GB that a table with a local index allows for one partition key. Delete some of them`
  return new IsothermError(
    'move.no-room',
    `${item}: ${why}, and call db.shards(table, key).resume(), or repeat the migration of the table if there is one.`,
    { table, logicalKey, sortKey: key.sort, source, target, reason: isItem ? 'item' : 'shard' },
    { cause: error },
  )
}

/** The service's reason for refusing an item. */
function saidBy(error: unknown): string {
  const reasons = isCancellation(error) ? (error.CancellationReasons ?? []) : []
  const ofItem = reasons.find(({ Code }) => ITEM_IS_FULL.includes(Code ?? ''))
  const said = ofItem?.Message ?? (error instanceof Error ? error.message : undefined)
  return said ? ` with these words: ${said}` : ''
}

/** Whether an item cannot move because something is full. */
export function isNoRoom(error: unknown): error is IsothermError<'move.no-room'> {
  return error instanceof IsothermError && error.code === 'move.no-room'
}
