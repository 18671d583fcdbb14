import type { Clock, Random } from '@isotherm/runtime'
import { requestToken } from '../../attempts/request-token.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { rebuildCommand } from './rebuild-command.js'

/** Where a card comes from. Cards of earlier versions have no origin. */
export interface CardOrigin {
  /** When the card was made, in milliseconds since the Unix epoch, a colon, and a random name. */
  readonly made?: string | undefined
  /** The table and the shard map for which it was made, by name. */
  readonly table?: string | undefined
  readonly shardMap?: string | undefined
  /** Whether it was made with a shard map that was rebuilt from the whole table. */
  readonly isRebuilt?: boolean | undefined
}

/** What a process compares of two reads of the card. */
interface SeenCard extends CardOrigin {
  readonly listed: ReadonlySet<string> | 'all'
  readonly initial: { readonly lastUpdated: number }
  readonly version: number
}

/** The origin of a card that is made now. */
export function newOrigin(
  { name, shardMap }: Pick<ShardedTable, 'name' | 'shardMap'>,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): { readonly made: string; readonly table: string; readonly shardMap: string } {
  const made = `${Math.floor(clock.now())}:${requestToken(random)}`
  return { made, table: nameOf(name), shardMap: nameOf(shardMap) }
}

/**
 * A restored table has another name. The card of one that was restored alone says nothing of it.
 * @throws IsothermError `card.foreign` if the card was made for another table, or for another shard map
 */
export function requireOwn({ name, shardMap }: ShardedTable, card: CardOrigin): void {
  const given = { table: nameOf(name), shardMap: nameOf(shardMap) }
  if ((card.table ?? given.table) === given.table && (card.shardMap ?? given.shardMap) === given.shardMap)
    return
  throw new IsothermError(
    'card.foreign',
    `The card in the shard map ${shardMap} was made for the table ${card.table} with the shard map ${card.shardMap}, and this process has ${name} with ${shardMap}. ` +
      `Counts of another table, or of another time, would hide items. Correct the options, or rebuild the shard map with: ${rebuildCommand(name)}.`,
    { table: name, shardMap, stored: { table: card.table, shardMap: card.shardMap } },
  )
}

/**
 * Why the card that was read cannot follow the one that this process knows: the shard map was emptied, restored or replaced. After a card
 * that lists nothing any other may follow, because nothing was lost with it.
 *
 * @returns `undefined` if it can
 */
export function whyLost(
  known: SeenCard & { readonly hasListed: boolean },
  read: SeenCard | undefined,
): 'missing' | 'older' | 'replaced' | undefined {
  // The settings of a card that was never migrated are the options.
  const listsNothing =
    !known.hasListed && known.listed !== 'all' && known.listed.size === 0 && known.initial.lastUpdated === 0
  if (read === undefined) return listsNothing ? undefined : 'missing'
  if (read.made === known.made) return read.version < known.version ? 'older' : undefined
  const isLater = timeOf(read) > timeOf(known)
  return isLater && (listsNothing || read.isRebuilt === true) ? undefined : 'replaced'
}

const REASONS = {
  rebuilding: 'is being rebuilt',
  missing: 'is gone',
  item: 'lists a key whose item is gone',
  older: 'is older than the one that this process has read before',
  replaced: 'is another one than this process has read before, and was not made by a rebuild',
} as const

/** The error of a process that knows more of the shard map than the shard map itself. */
export function lostCard(
  { name, shardMap }: Pick<ShardedTable, 'name' | 'shardMap'>,
  reason: keyof typeof REASONS,
): IsothermError<'card.lost'> {
  const cure =
    reason === 'rebuilding'
      ? 'If the rebuild was stopped, resume it with'
      : 'The shard map was emptied, restored or replaced. Rebuild it from the table with'
  return new IsothermError(
    'card.lost',
    `The card of ${name} in the shard map ${shardMap} ${REASONS[reason]}. ${cure}: ${rebuildCommand(name)}. ` +
      'A running process continues by itself after that. If the table was emptied as well, restart it.',
    { table: name, shardMap, reason },
  )
}

function timeOf({ made = '0:' }: CardOrigin): number {
  return Number(made.slice(0, made.indexOf(':')))
}

/** An option may name a table by its ARN. */
function nameOf(table: string): string {
  return table.slice(table.lastIndexOf('/') + 1)
}
