import { IsothermError } from '../../errors/isotherm-error.js'
import type { ShardedTable } from '../../options/sharded-table.js'

/** The options that decide where the items of a table are, as text. Processes that differ in one of them do not find each other's items. */
export type CardSettings = Readonly<Record<string, string>>

/** The version of what is stored: suffixes, placement, marks, the shard map and the card. */
export const FORMAT = 1

/** The version of a card with an initial state of its own. Versions of the library that do not know it would go by the settings. */
export const FORMAT_WITH_STATE = 2

/** The settings of a table with dynamic counts. */
export function dynamicSettings(table: ShardedTable, initial: number): CardSettings {
  return { ...keySettings(table), shards: 'dynamicShards', initial: String(initial) }
}

/** The settings that do not depend on the counts of the keys. */
export function keySettings(table: ShardedTable): CardSettings {
  return {
    partitionKey: table.partitionKey,
    ...(table.sortKey === undefined ? {} : { sortKey: table.sortKey }),
    suffix: suffixText(table),
    delimiter: table.delimiter,
    adopt: String(table.adopt),
  }
}

function suffixText({ suffix, sortKey }: ShardedTable): string {
  if (typeof suffix === 'string') return suffix
  if (suffix.ownPlace !== undefined) return "calculated by the application's function"
  return `calculated from ${(suffix.from ?? [sortKey]).join(', ')}`
}

/**
 * Compares what the table holds with what this process was given.
 * @param acceptedInitials the initial counts that processes may have. All go by the card, whatever they have.
 * @param otherCure a sentence with another cure, if there is one
 * @throws IsothermError `card.differs` for the first setting that differs, before anything is read or written
 */
export function requireSame(
  table: ShardedTable,
  stored: CardSettings,
  given: CardSettings,
  acceptedInitials: ReadonlySet<string>,
  otherCure?: string,
): void {
  for (const setting of new Set([...Object.keys(stored), ...Object.keys(given)])) {
    const [before, now] = [stored[setting], given[setting]]
    if (before === now || (setting === 'initial' && acceptedInitials.has(now ?? ''))) continue
    throw new IsothermError(
      'card.differs',
      `${table.name} is sharded with ${setting} ${before ?? 'not set'}, and this process has ${setting} ${now ?? 'not set'}. ` +
        `With another ${setting}, items that are there would not be found, or would be stored twice. ` +
        `${CURES[setting] ?? `Set ${setting} as it was`}; the card of ${table.name} in ${table.shardMap} has all settings.${otherCure === undefined ? '' : ` ${otherCure}`}`,
      { table: table.name, setting, stored: before, given: now },
    )
  }
}

/** Whether all settings are the same. A stored map has no order. */
export function areSame(stored: CardSettings | undefined, given: CardSettings): boolean {
  const names = Object.keys(given)
  if (stored === undefined || Object.keys(stored).length !== names.length) return false
  return names.every((name) => stored[name] === given[name])
}

/** What changes a setting; without it nothing does. */
const CURES: Readonly<Record<string, string>> = {
  initial: 'Change it with isotherm migrate, or set initial as it was',
}

/** The cure of a card whose settings are wrong, because a rebuild was given them. */
export const REPLACE_REBUILT_CARD =
  'If the card is wrong, because the shard map was rebuilt with other options than the application has, rebuild it again with those of the application and replaceCard: true (--replace-card).'
