import Table from 'cli-table3'
import type { DriveOutcome, KeyShardsState, ShrinkPrice } from 'isotherm'
import type { StoredKeyState } from '../stored-key-state.js'
import { printable } from '../terminal.js'
import { counted, grouped } from './figures.js'

/** How a drain ended. */
export interface Drained {
  readonly outcome: DriveOutcome
  readonly moved: number
  /** The count of the key afterwards. */
  readonly shards: number | undefined
}

/** A key of the shard map. Binary keys are in base64. */
export interface ListedKey extends StoredKeyState {
  readonly key: string
}

/** The keys with the most shards, as a table. */
export function listText(table: string, found: number, keys: readonly ListedKey[]): string {
  const title =
    found === 1
      ? `1 key of ${printable(table)} has its own count.`
      : `${grouped(found)} keys of ${printable(table)} have their own counts.`
  if (keys.length === 0) return title
  const rows = new Table({
    head: ['key', 'shards', 'read', 'phase', 'last changed'],
    colAligns: ['left', 'right', 'right'],
    style: { head: [], border: [] },
  })
  for (const { key, shards, readableShards, to, phase, lastUpdated } of keys) {
    const count = to === undefined ? `${shards}` : `${shards} to ${to}`
    rows.push([printable(key), count, readableShards, printable(phase), isoTime(lastUpdated)])
  }
  const rest = found > keys.length ? `\n${grouped(found - keys.length)} more; raise --top to see them.` : ''
  return `${title}\n${rows}${rest}`
}

/** The state of one key, in sentences. */
export function stateText(key: string, state: KeyShardsState): string {
  const { shards, readableShards, phase, from, to, lastUpdated } = state
  const change =
    phase === 'settled'
      ? 'Nothing is changing.'
      : `The change from ${from} to ${to} shards is in the phase ${phase}.`
  return `"${printable(key)}": writes go to ${counted(shards, 'shard', 'shards')}, queries read ${readableShards}. ${change} Last written ${isoTime(lastUpdated)}.`
}

/** Another writer may have stored another unit than seconds. */
function isoTime(seconds: number): string {
  const time = new Date(seconds * 1_000)
  return Number.isNaN(time.getTime()) ? `${seconds}` : time.toISOString().replace('.000Z', 'Z')
}

/** The price of fewer shards, in sentences. */
export function priceText(key: string, price: ShrinkPrice): string {
  const { from, to, items, expiringItems, writeUnits, seconds, savedReadUnitsPerDay, paysAfterDays } = price
  return [
    `"${printable(key)}" from ${from} shards to ${to}: ${grouped(items)} items to move, about ${grouped(writeUnits)} write units, ${grouped(seconds)} s.`,
    ...(expiringItems > 0 ? [`${grouped(expiringItems)} of them expire within 30 days.`] : []),
    savedReadUnitsPerDay === undefined || paysAfterDays === undefined
      ? 'What it saves is not known: the key is not quiet, or too few of its reads were reported.'
      : `It saves ${grouped(savedReadUnitsPerDay)} read units a day, and pays after ${paysAfterDays.toFixed(1)} days.`,
  ].join('\n')
}

/** The price of more shards of a random suffix. */
export function growthText(key: string, from: number | undefined, to: number): string {
  return `${changeText(key, from, to)}: no item moves, and the shard map is written twice.`
}

/** What a change costs at most. */
export interface MoveBound {
  /** `undefined` for the initial count. */
  readonly from: number | undefined
  readonly to: number
  readonly itemsAtMost: number
  /** Without indexes, and replicas in other regions. */
  readonly writeUnitsAtMost: number
  readonly secondsAtMost: number
}

export function moveBoundText(
  key: string,
  { from, to, itemsAtMost, writeUnitsAtMost, secondsAtMost }: MoveBound,
): string {
  return `${changeText(key, from, to)}: at most ${grouped(itemsAtMost)} items to move, ${grouped(writeUnitsAtMost)} write units without indexes, ${grouped(secondsAtMost)} s.`
}

/** A change whose items have not been counted. */
export function uncountedText(key: string, from: number | undefined, to: number): string {
  return `${changeText(key, from, to)}. Items that belong to other shards move; --dry-run counts the items.`
}

function changeText(key: string, from: number | undefined, to: number): string {
  return `"${printable(key)}" from ${from ?? 'the initial count'} to ${to} shards`
}

/** How a drain ended, in a sentence. */
export function drainText(key: string, { outcome, moved, shards }: Drained): string {
  const what = `${grouped(moved)} items of "${printable(key)}" were moved`
  switch (outcome) {
    case 'settled':
      return `${what}. Shards of the key now: ${shards}. Readers ask no others.`
    case 'overtaken':
      return `${what}. Another process has taken the change over.`
    case 'two-copies':
      return `${what}. Some exist in two shards, and both are still read. Compare them, and run the command again with --discard.`
  }
}
