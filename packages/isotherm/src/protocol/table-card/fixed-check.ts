import { GetItemCommand } from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import { boundedClient } from '../../attempts/bounded-client.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { LogicalKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { isUnfinished } from '../states/shard-state.js'
import { cardOf } from './card-item.js'
import { keySettings, requireSame } from './card-settings.js'
import { itemsCheck } from './items-check.js'
import { CARD_KEY, keyLike } from './own-keys.js'
import { SMALL_SAMPLE } from './require-items.js'
import { requireTable } from './require-table.js'
import type { TableCard } from './table-card.js'
import type { UnknownTable } from './unknown-table.js'

/** What is wrong for certain. Others are of a mock that answers anything, or of a card that this process cannot read. */
const REFUSALS: ReadonlySet<string> = new Set([
  'card.differs',
  'items.elsewhere',
  'table.missing',
  'table.differs',
  'table.unfit',
])

/** An empty table says nothing. Processes with other options may write to it from now on, so it is looked at again. */
const EMPTY_MILLISECONDS = 60_000
/** Processes with other options may be deployed beside this one. */
const AGAIN_MILLISECONDS = 300_000

/** A table with one count for all keys. */
interface FixedTable extends UnknownTable {
  readonly clock: Clock
}

/**
 * Compares the options of a table with a fixed count with what the table holds: with its key, with its card, if it was ever used with
 * dynamic counts, and otherwise with a small sample of its items. Each process does it before its first request, again after a
 * minute while the table is empty, and every five minutes in the background. What cannot be read is believed.
 *
 * @param count the present count of the options
 * @param changes whether the count changes. Then processes learn of it at different times, and one that is late is not wrong: it is compared once
 * @returns a function that answers `undefined` if a request need not wait for the comparison
 * @throws IsothermError `table.missing`, `table.differs`, `table.unfit`, `card.differs`, `items.elsewhere`
 */
export function fixedCheck(
  given: FixedTable,
  count: () => number,
  changes: boolean,
): (like: LogicalKey) => Promise<void> | undefined {
  const { options, clock } = given
  // Every request of the table waits for the first comparison, so it must not hang.
  const client = boundedClient(given.client, clock)
  const table = { ...given, client }
  const requireItems = itemsCheck(table, () => {}, SMALL_SAMPLE)
  let due = 0
  let hasItems = false
  let isFit = false
  let running: Promise<void> | undefined
  const compare = async (like: LogicalKey) => {
    requireSortKey(options)
    const [card] = await Promise.all([
      unlessUnreadable(() => findCard(table, like)),
      isFit ? undefined : unlessUnreadable(() => requireTable(options, client)),
    ])
    isFit = true
    if (card !== undefined) requireFixed(table, card, count())
    const compared =
      card === undefined
        ? await unlessUnreadable(() => requireItems({ shards: 'fixedShards', count: count() }))
        : undefined
    hasItems = compared !== 0
    const again = changes ? Number.POSITIVE_INFINITY : AGAIN_MILLISECONDS
    due = clock.now() + (hasItems ? again : EMPTY_MILLISECONDS)
  }
  return (like) => {
    if (clock.now() < due) return undefined
    const isInBackground = hasItems
    running ??= compare(like).finally(() => {
      running = undefined
    })
    if (!isInBackground) return running
    running.catch(() => {
      // The next request waits for another comparison, which refuses it.
      hasItems = false
    })
    return undefined
  }
}

/** The options alone are wrong, whether the table has a sort key or not. By hand, such items may have been written once each. */
function requireSortKey({ name, suffix, sortKey, handMade }: ShardedTable): void {
  if (suffix !== 'random' || sortKey !== undefined || handMade !== undefined) return
  throw new IsothermError(
    'table.unfit',
    `${name} has suffix 'random' and no sortKey, so each put of a key would store another copy of its item. ` +
      'Name the sort key of the table. If it has none, its items cannot be spread over shards: use a table with a sort key.',
    { table: name, setting: 'suffix' },
  )
}

async function findCard({ client, options }: FixedTable, like: LogicalKey): Promise<TableCard | undefined> {
  const { shardMap, partitionKey } = options
  const Key = { [partitionKey]: keyLike(like, CARD_KEY) }
  const { Item } = await client.send(new GetItemCommand({ TableName: shardMap, Key, ConsistentRead: true }))
  return Item && cardOf(options, Item)
}

/** The options are refused by what was found, and never because something could not be found out. */
async function unlessUnreadable<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof IsothermError && REFUSALS.has(error.code)) throw error
    return undefined
  }
}

function requireFixed({ options }: FixedTable, card: TableCard, count: number): void {
  const { shards: _kind, initial: _count, ...settings } = card.settings
  requireSame(options, settings, keySettings(options), new Set())
  const { listed, initial } = card
  const isUniform = listed !== 'all' && listed.size === 0 && !isUnfinished(initial)
  if (isUniform && initial.shards === count) return
  const stored = isUniform ? `${initial.shards} shards for each key` : 'counts of their own for some keys'
  throw new IsothermError(
    'card.differs',
    `${options.name} has dynamicShards with ${stored}, and this process has fixedShards(${count}). Items that are there would not be found. ` +
      `Use dynamicShards({ initial: ${initial.shards} }) in this process; the card of ${options.name} in ${options.shardMap} has all settings.`,
    { table: options.name, setting: 'shards', stored: 'dynamicShards', given: `fixedShards(${count})` },
  )
}
