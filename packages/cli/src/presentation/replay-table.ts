import type { PartitionFigures, ReplayedTable, ReplayReport, TableFigures } from '@isotherm/local'
import Table from 'cli-table3'
import pc from 'picocolors'
import { printable } from '../terminal.js'
import { grouped, units } from './figures.js'
import { wholeSparkline } from './sparkline.js'

type Row = readonly [title: string, figure: (run: TableFigures) => string]

const TRAFFIC: readonly Row[] = [
  ['offered', ({ offered }) => grouped(offered)],
  ['accepted', ({ accepted }) => grouped(accepted)],
  ['throttled', ({ throttled }) => grouped(throttled)],
  ['share throttled', (run) => pc.bold(share(run.throttled, run.offered))],
  ['other errors', ({ failed }) => grouped(failed)],
]

/** A replay as text: a table for each replayed table, with the recorded run beside the replayed one. */
export function replayText(report: ReplayReport, prices: { readonly [place: string]: number } = {}): string {
  const { requests, seconds, rate, seed, model } = report
  const pace = rate === 1 ? '' : `, ${rate} times as dense`
  return [
    `Replayed ${grouped(requests)} requests, ${seconds.toFixed(1)} s${pace}, ${model} capacity, seed ${seed}`,
    ...report.tables.flatMap((table) => [
      '',
      `${printable(table.table)} (${printable(table.region)})`,
      tableOf(table, prices[`${table.region}/${table.table}`]),
    ]),
    ...seriesOf(report),
    pc.dim(DEFINITIONS),
    ...notesOf(report).map((note) => pc.yellow(note)),
  ].join('\n')
}

const DEFINITIONS = [
  'offered: items and pages asked for; a member of a batch counts as one.',
  'throttled: of these, refused for lack of capacity. Below: refusals by reason.',
  'hottest: the partition that did most, and its part of all units of that kind.',
  'a month: US dollars in the capacity mode of the replay; on demand, as if each second were like those of the trace.',
].join('\n')

function tableOf({ recorded, replayed }: ReplayedTable, price: number | undefined): string {
  const runs = [recorded, replayed]
  const table = new Table({
    head: ['', pc.bold('recorded'), pc.bold('replayed')],
    colAligns: ['left', 'right', 'right'],
    style: { head: [], border: pc.isColorSupported ? ['gray'] : [], compact: true },
  })
  const section = (title: string, rows: readonly Row[]) => {
    if (rows.length === 0) return
    table.push([pc.dim(title), '', ''])
    for (const [name, figure] of rows) table.push([`  ${name}`, ...runs.map(figure)])
  }
  section('traffic', TRAFFIC)
  section(
    'throttled by',
    perName(runs, ({ reasons }) => reasons, grouped),
  )
  section(
    'units',
    perName(runs, ({ units }) => units, units),
  )
  section('hottest', perName(runs, hottestOf, String))
  if (price !== undefined) table.push([pc.dim('a month'), '', dollars(price)])
  return table.toString()
}

/** A row for each name that appears in any of the runs. */
function perName<Value>(
  runs: readonly TableFigures[],
  figures: (run: TableFigures) => { readonly [name: string]: Value },
  shown: (value: Value) => string,
): Row[] {
  const names = new Set(runs.flatMap((run) => Object.keys(figures(run))))
  return [...names].sort().map((name) => [
    printable(name),
    (run) => {
      const value = figures(run)[name]
      return value === undefined ? '-' : shown(value)
    },
  ])
}

/** The hottest partition of the table and of each index, by kind. */
export function hottestOf({ hottest }: TableFigures): { readonly [whose: string]: string } {
  const named = hottest.map((each: PartitionFigures): [string, string] => [
    each.index === undefined ? each.kind : `${each.kind}.${each.index}`,
    `#${each.partition}: ${(each.share * 100).toFixed(0)} %`,
  ])
  return Object.fromEntries(named)
}

export function share(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((part / whole) * 100).toFixed(1)} %`
}

export function notesOf(report: ReplayReport): readonly string[] {
  const leftOut = Object.entries(report.leftOut).map(
    ([name, count]) => `${grouped(count)} ${printable(name)}`,
  )
  return [
    ...(report.recordedThrottle ? [] : ['Recorded without limits: nothing was throttled then.']),
    ...(report.missingItems === 0
      ? []
      : [`${grouped(report.missingItems)} items were there before the recording; here they are missing.`]),
    ...(leftOut.length === 0 ? [] : [`Not run again: ${leftOut.join(', ')}.`]),
    ...(report.notAdapted === 0
      ? []
      : [`${grouped(report.notAdapted)} requests ran as recorded: the suffix could not be put in.`]),
    ...(report.isTorn ? ['The last line of the trace is torn and was left out.'] : []),
  ]
}

const SPARK_WIDTH = 60

/** Requests over time, as far as the report has them. */
function seriesOf({ series }: ReplayReport): readonly string[] {
  if (series === undefined) return []
  const most = Math.max(1, ...series.replayed.offered)
  return [
    '',
    `offered/s             ${wholeSparkline(series.replayed.offered, SPARK_WIDTH, most)}`,
    `throttled/s, recorded ${wholeSparkline(series.recorded.throttled, SPARK_WIDTH, most)}`,
    `throttled/s, replayed ${wholeSparkline(series.replayed.throttled, SPARK_WIDTH, most)}`,
  ]
}

export function dollars(value: number | undefined): string {
  if (value === undefined) return '-'
  return value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}
