import type { ReplayedTable, ReplayReport, TableFigures } from '@isotherm/local'
import Table from 'cli-table3'
import pc from 'picocolors'
import { printable } from '../terminal.js'
import { grouped, units } from './figures.js'
import { dollars, hottestOf, notesOf, share } from './replay-table.js'

/** A replay with a design, and its name. */
export interface NamedReplay {
  readonly name: string
  readonly report: ReplayReport
  /** US dollars of a month, by `region/table`. */
  readonly prices: { readonly [place: string]: number }
}

type Row = readonly [title: string, figure: (table: ReplayedTable, replay: NamedReplay) => string]

const ROWS: readonly Row[] = [
  ['offered', ({ replayed }) => grouped(replayed.offered)],
  ['accepted', ({ replayed }) => grouped(replayed.accepted)],
  ['throttled', ({ replayed }) => grouped(replayed.throttled)],
  ['share throttled', ({ replayed }) => pc.bold(share(replayed.throttled, replayed.offered))],
  ['other errors', ({ replayed }) => grouped(replayed.failed)],
]

/** Designs side by side: a table for each replayed table, with a column for each design. */
export function comparedText(replays: readonly NamedReplay[]): string {
  const [first] = replays
  if (first === undefined) return ''
  const { requests, seconds, rate, seed } = first.report
  const pace = rate === 1 ? '' : `, ${rate} times as dense`
  const all = [...new Set(replays.flatMap(({ report }) => report.tables.map(placeOf)))].sort()
  const places = all.filter((place) => isDifferent(place, replays))
  const same = all.filter((place) => !places.includes(place))
  const notes = [...new Set(replays.flatMap(({ report }) => notesOf(report)))]
  return [
    `Replayed ${grouped(requests)} requests, ${seconds.toFixed(1)} s${pace}, seed ${seed}, with ${replays.length - 1} design${replays.length === 2 ? '' : 's'}`,
    ...places.flatMap((place) => ['', printable(place), tableOf(place, replays)]),
    ...(same.length === 0 ? [] : [`The same with each design: ${same.map(printable).join(', ')}.`]),
    pc.dim(
      'a month: US dollars in the capacity mode of the design; on demand, as if each second were like those of the trace.',
    ),
    ...notes.map((note) => pc.yellow(note)),
  ].join('\n')
}

/** Whether a table fared differently with any of the designs. */
function isDifferent(place: string, replays: readonly NamedReplay[]): boolean {
  const seen = replays.map(({ report, prices }) => {
    const { replayed, billing } = report.tables.find((table) => placeOf(table) === place) ?? {}
    return JSON.stringify([replayed, billing, prices[place]])
  })
  return new Set(seen).size > 1
}

function tableOf(place: string, replays: readonly NamedReplay[]): string {
  const tables = replays.map(({ report }) => report.tables.find((table) => placeOf(table) === place))
  const table = new Table({
    head: ['', ...replays.map(({ name }) => pc.bold(printable(name)))],
    colAligns: ['left', ...replays.map(() => 'right' as const)],
    style: { head: [], border: pc.isColorSupported ? ['gray'] : [], compact: true },
  })
  const row = (title: string, figure: Row[1]) => {
    const figures = replays.map((replay, index) => {
      const own = tables[index]
      return own === undefined ? '-' : figure(own, replay)
    })
    table.push([title, ...figures])
  }
  for (const [title, figure] of ROWS) row(title, figure)
  for (const kind of namesIn(tables, ({ units: sums }) => sums)) {
    row(`${printable(kind)} units`, ({ replayed }) => units(replayed.units[kind] ?? 0))
  }
  for (const whose of namesIn(tables, hottestOf)) {
    row(`hottest ${printable(whose)}`, ({ replayed }) => hottestOf(replayed)[whose] ?? '-')
  }
  row('billing', ({ billing }) =>
    billing === undefined ? '-' : billing.mode === 'PROVISIONED' ? 'provisioned' : 'on demand',
  )
  row('a month', (_, { prices }) => dollars(prices[place]))
  return table.toString()
}

/** The names that appear for any of the designs. */
function namesIn(
  tables: readonly (ReplayedTable | undefined)[],
  figures: (run: TableFigures) => { readonly [name: string]: unknown },
): readonly string[] {
  const names = tables.flatMap((table) => (table === undefined ? [] : Object.keys(figures(table.replayed))))
  return [...new Set(names)].sort()
}

export function placeOf({ region, table }: ReplayedTable): string {
  return `${region}/${table}`
}
