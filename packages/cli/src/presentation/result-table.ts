import {
  type HotFileReport,
  isSound,
  PAGE_ITEMS,
  perCent,
  type StrategyReport,
  totalSeconds,
} from '@isotherm/scenarios'
import Table from 'cli-table3'
import pc from 'picocolors'
import { printable } from '../terminal.js'
import { grouped, units } from './figures.js'

type Row = readonly [title: string, figure: (run: StrategyReport) => string]

const AFTER_THE_RAMP: readonly Row[] = [
  ['accepted/s', (run) => grouped(run.acceptedPerSecond)],
  ['of the viral file', (run) => grouped(run.viralFileAcceptedPerSecond)],
  ['throttled/s', (run) => grouped(run.throttledPerSecond)],
  ['share throttled', (run) => pc.bold(perCent(run.throttledShareAfterRamp))],
]

const WHOLE_RUN: readonly Row[] = [
  ['offered writes', ({ offered }) => grouped(offered)],
  ['accepted writes', ({ accepted }) => grouped(accepted)],
  ['refused for good', ({ givenUp, shed }) => grouped(givenUp + shed)],
  ["file's shards", shardsOverTime],
  ['grown at', growthTimes],
]

const READING_BACK: readonly Row[] = [
  [`RCU, page of ${PAGE_ITEMS}`, ({ readBack }) => units(readBack.pageReadUnits)],
  ['RCU, whole trail', ({ readBack }) => grouped(readBack.trailReadUnits)],
  ['RCU, 1,000 items', ({ readBack }) => perThousand(readBack.trailReadUnits, readBack.items)],
  ['items in the trail', ({ readBack }) => grouped(readBack.items)],
  ['all accepted found', ({ readBack }) => verdict(readBack.missing, 'missing')],
  ['none found twice', ({ readBack }) => verdict(readBack.duplicates, 'twice')],
  ['in time order', ({ readBack }) => verdict(readBack.outOfOrder, 'out of order')],
]

/** A run as a table with a column for each strategy, followed by definitions of its terms. */
export function resultText(report: HotFileReport): string {
  const { viralPath, workload, seed, offeredPerSecond } = report
  const seconds = totalSeconds(workload)
  const lines = [
    `Hot file ${printable(viralPath)}: ${grouped(offeredPerSecond)} writes/s offered after the ramp, ${seconds} s, seed ${seed}`,
    tableOf(report),
    pc.dim(DEFINITIONS),
  ]
  return [...lines, ...latenessOf(report), ...report.runs.flatMap(failuresOf), ''].join('\n')
}

/** Later than this, the writes did not come as they were recorded. */
const LATE_MILLISECONDS = 1_000

/** On virtual time nothing is late. */
function latenessOf({ runs }: HotFileReport): readonly string[] {
  const latest = Math.max(...runs.map(({ latestMilliseconds }) => latestMilliseconds))
  if (latest <= LATE_MILLISECONDS) return []
  const seconds = (latest / 1_000).toFixed(1)
  return [
    pc.yellow(
      `Writes were up to ${seconds} s late: this machine is too slow to offer the load, and the figures are too low. Use --once, which needs no fast machine.`,
    ),
  ]
}

/** No line is wider than 80 columns; neither is the table with its usual titles. */
const DEFINITIONS = [
  'accepted: acknowledged writes. throttled: attempts refused for lack of capacity;',
  '  a write may be tried several times. refused for good: the caller got the error of its last attempt.',
  'share throttled: throttled attempts / (accepted writes + throttled attempts).',
  'after the ramp: from the second in which the traffic reaches its full rate.',
  'RCU: of consistent reads, for a page, the whole trail and 1,000 items of it.',
].join('\n')

/** Whether each trail is complete and only throttling caused failures. */
export function isGood({ runs }: HotFileReport): boolean {
  return runs.every(({ readBack, failed }) => isSound(readBack) && failed === 0)
}

function tableOf({ runs }: HotFileReport): string {
  const table = new Table({
    head: ['', ...runs.map(({ title }) => pc.bold(title))],
    colAligns: ['left', ...runs.map(() => 'right' as const)],
    style: { head: [], border: pc.isColorSupported ? ['gray'] : [], compact: true },
  })
  const section = (title: string, rows: readonly Row[]) => {
    table.push([pc.dim(title), ...runs.map(() => '')])
    for (const [name, figure] of rows) table.push([`  ${name}`, ...runs.map(figure)])
  }
  section('after the ramp', AFTER_THE_RAMP)
  section('whole run', WHOLE_RUN)
  section('trail read back', READING_BACK)
  return table.toString()
}

/** A longer list of changes does not fit a column; only its ends are shown. */
const MAX_CHANGES = 4

function shardsOverTime({ shardChanges, shardsFinal }: StrategyReport): string {
  if (shardChanges.length > MAX_CHANGES) return `${shardChanges[0]?.shards} → … → ${shardsFinal}`
  return shardChanges.map(({ shards }) => shards).join(' → ')
}

function growthTimes({ shardChanges }: StrategyReport): string {
  const times = shardChanges.slice(1).map(({ atSeconds }) => Math.round(atSeconds))
  if (times.length === 0) return '-'
  if (times.length >= MAX_CHANGES) return `${times[0]}, …, ${times.at(-1)} s`
  return `${times.join(', ')} s`
}

function perThousand(readUnits: number, items: number): string {
  return items === 0 ? '-' : units((readUnits / items) * 1_000)
}

function verdict(faults: number, fault: string): string {
  return faults === 0 ? pc.green('yes') : pc.red(`NO: ${grouped(faults)} ${fault}`)
}

function failuresOf({ title, failed, firstFailure }: StrategyReport): readonly string[] {
  if (failed === 0) return []
  return [
    pc.red(
      `${title}: ${grouped(failed)} writes failed; the first: ${printable(firstFailure ?? 'no reason given')}`,
    ),
  ]
}
