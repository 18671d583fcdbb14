import type { MigrationPrice, MigrationProgress, MigrationResult } from 'isotherm'
import { counted, grouped, keysWithOwnCounts } from './figures.js'

/** What happens now, in one line. */
export function phaseText({ phase, scanned, moved, ofAbout }: MigrationProgress): string {
  switch (phase) {
    case 'announced':
    case 'moved':
      return `${phase}: waiting until every process knows`
    case 'draining':
    case 'retired':
      return scanned === 0
        ? `${phase}: waiting until every process knows`
        : `${phase}: ${grouped(scanned)} of about ${grouped(ofAbout)} items read, ${grouped(moved)} moved`
    case 'keys':
      return 'keys with a count of their own'
    case 'settled':
      return 'settled'
  }
}

/** Before this, a process with the new count is refused, so people need to know when to deploy it. */
export function begunText(table: string, to: number): string {
  return `The migration of ${table} has begun. From now on, processes with initial: ${to} are accepted, beside those with the former count.`
}

const WITHOUT_OWN_COUNTS =
  'This is without the items of keys with a count of their own, which move too. isotherm shards price has the price of one such key.'

/** How a migration ended, in sentences. */
export function migrationText(
  table: string,
  { outcome, from, to, price, ownCounts }: MigrationResult,
  keys: 'cold' | 'all',
): string {
  const own = ownCounts === 0 ? [] : [`${keysWithOwnCounts(ownCounts)}.`]
  switch (outcome) {
    case 'dry-run':
      return [
        `${table} from ${initialShards(from)} to ${to}: ${priceText(price)}`,
        ...own,
        ...(keys === 'all' ? [WITHOUT_OWN_COUNTS] : []),
      ].join('\n')
    case 'settled':
      return [`${table} has ${initialShards(to)}.`, ...own].join('\n')
    case 'overtaken':
      return `Another process has taken the migration of ${table} over.`
    case 'two-copies':
      return `Some items of ${table} exist in two shards, and both are still read. Compare them, and run the command again with --discard.`
  }
}

function initialShards(count: number): string {
  return counted(count, 'initial shard', 'initial shards')
}

function priceText({ items, movingItems, readUnits, writeUnits, seconds }: MigrationPrice): string {
  if (movingItems === 0)
    return 'no item of a key with the initial count has to move. It takes about 40 s with the default cacheTtl and lateRequests.'
  return (
    `up to ${grouped(movingItems)} of ${grouped(items)} items to move, ` +
    `about ${grouped(readUnits)} read units, ${grouped(writeUnits)} write units and ${grouped(seconds)} s.`
  )
}
