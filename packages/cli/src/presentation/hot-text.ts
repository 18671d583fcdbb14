import type { Estimate } from '@isotherm/advisor'
import type { HotKey, HotReport } from '@isotherm/console/remote'
import Table from 'cli-table3'
import pc from 'picocolors'
import { printable } from '../terminal.js'
import { grouped, units } from './figures.js'

const MAX_KEY_WIDTH = 36
/** From this part of a partition on, a key is near its limit. */
const WARM = 0.7

/** The hottest keys as a table. */
export function hotText(report: HotReport): string {
  const { table, index, keys } = report
  const name = pc.bold(printable(index === undefined ? table : `${table}, index ${index}`))
  const heading = `${name}: ${headingOf(report)}`
  // Without figures, neither a key nor a bound is known.
  if (isWithoutFigures(report)) return heading
  return [
    heading,
    ...(keys.length === 0
      ? [pc.dim('No key was seen.')]
      : [report.source === 'insights' ? traffic(report) : items(report)]),
    pc.dim(boundsOf(report)),
  ].join('\n')
}

function isWithoutFigures({ source, from, total }: HotReport): boolean {
  return source === 'insights' && (from === undefined || total === undefined)
}

function headingOf({
  source,
  from,
  seconds = 60,
  total,
  sampledItems = 0,
  readUnits = 0,
  distinctKeys,
}: HotReport): string {
  const distinct =
    distinctKeys === undefined ? '' : `, ${source === 'sample' ? '' : 'about '}${grouped(distinctKeys)} keys`
  if (source === 'sample') {
    return `${grouped(sampledItems)} sampled items${distinct}, for ${units(readUnits)} read units`
  }
  if (from === undefined || total === undefined)
    return "no requests were counted yet; from Amazon's CloudWatch they come one to three minutes late"
  const time = `${from.slice(11, 16)} UTC, ${seconds < 60 ? `${seconds.toFixed(0)} s of a minute` : 'one minute'}`
  return `${time}: ${units(total.writeUnits)} write and ${units(total.readUnits)} read units a second${distinct}`
}

function traffic({ attributes, keys }: HotReport): string {
  const table = framed([
    attributes.join(' '),
    'share',
    'writes/s',
    'reads/s',
    'of a partition',
    'throttled/s',
  ])
  for (const key of keys) {
    table.push([
      shownKey(key),
      perCent(key.share.value),
      ranged(key.writes),
      ranged(key.reads),
      heatText(key),
      key.throttled === undefined ? '-' : pc.red(units(key.throttled)),
    ])
  }
  return table.toString()
}

function items({ attributes, keys, unlistedAtMost }: HotReport): string {
  const hasBounds = unlistedAtMost < 1 && !keys.every(isExact)
  const table = framed([
    attributes.join(' '),
    'share of the items read',
    ...(hasBounds ? ['at least', 'at most'] : []),
  ])
  for (const key of keys) {
    const { value, atLeast, atMost } = key.share
    table.push([shownKey(key), perCent(value), ...(hasBounds ? [perCent(atLeast), perCent(atMost)] : [])])
  }
  return table.toString()
}

function framed(head: readonly string[]) {
  return new Table({
    head: head.map((title) => pc.bold(printable(title))),
    colAligns: head.map((_, index) => (index === 0 ? 'left' : 'right')),
    style: { head: [], border: pc.isColorSupported ? ['gray'] : [], compact: true },
  })
}

function shownKey({ key }: HotKey): string {
  const text = printable(key)
  return text.length <= MAX_KEY_WIDTH ? text : `${text.slice(0, MAX_KEY_WIDTH - 1)}…`
}

function heatText({ ofPartition }: HotKey): string {
  if (ofPartition === undefined) return '-'
  const text = rangeText(ofPartition, perCent)
  if (ofPartition.value >= 1) return pc.red(text)
  return ofPartition.value >= WARM ? pc.yellow(text) : text
}

function ranged(estimate: Estimate | undefined): string {
  return estimate === undefined ? '-' : rangeText(estimate, units)
}

/** One figure, with its bounds if they differ from it by more than a tenth. */
function rangeText({ value, atLeast, atMost }: Estimate, shown: (value: number) => string): string {
  return atMost - atLeast <= Math.max(value / 10, 1e-9)
    ? shown(value)
    : `${shown(value)} (${shown(atLeast)} to ${shown(atMost)})`
}

/** Of a table that was read as a whole. */
function isExact({ share }: HotKey): boolean {
  return share.atMost === share.atLeast
}

function boundsOf({ source, keys, unlistedAtMost }: HotReport): string {
  const most = `a key that is not listed has at most ${perCent(unlistedAtMost)}`
  if (source === 'sample') {
    const bounds = keys.every(isExact)
      ? `All items were read; ${most}.`
      : unlistedAtMost < 1
        ? `Bounds hold for 95 of 100 samples; ${most}.`
        : 'It reads a few items from each part of the table, so it can miss a key with many items, and overstate a key with few.'
    return `A sample shows where the items are, not the traffic. ${bounds}`
  }
  return `A key that is not listed has at most ${perCent(unlistedAtMost)} of the traffic. Ranges are what the figures of the whole table allow.`
}

function perCent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`
}
