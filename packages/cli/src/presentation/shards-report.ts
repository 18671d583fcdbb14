import type { DriveOutcome, ShrinkPrice } from 'isotherm'
import { printable } from '../terminal.js'
import { grouped } from './figures.js'

/** How a drain ended. */
export interface Drained {
  readonly outcome: DriveOutcome
  readonly moved: number
  /** The count of the key afterwards. */
  readonly shards: number | undefined
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

/** How a drain ended, in a sentence. */
export function drainText(key: string, { outcome, moved, shards }: Drained): string {
  const what = `${grouped(moved)} items of "${printable(key)}" were moved`
  switch (outcome) {
    case 'settled':
      return `${what}. Shards of the key now: ${shards}. Readers ask no others.`
    case 'overtaken':
      return `${what}. Another process has taken the change over.`
    case 'two-copies':
      return `${what}. Some exist in two shards and were left there: see the event two-copies.`
  }
}
