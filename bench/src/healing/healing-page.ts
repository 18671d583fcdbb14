import { ADOPTED_KEYS, type AdoptedKey, missedByAdoptedKey } from './adopted-key.js'
import { BULK_INDEX } from './bulk-index.js'
import { shareOf } from './bulk-index-board.js'
import { DEFAULTS } from './contestant.js'
import type { RecordedAdoptedRun, RecordedBulkRun, RecordedRun } from './healing-record.js'
import { missedOf } from './scoreboard.js'
import type { HealingTarget, Shape } from './shape.js'

const HEAD = `| load | by | seeds | healed after | shards | units lost | shard map: writes/s, reads/s | moved units | target | recorded |
|---|---|---:|---:|---:|---:|---:|---:|---|---|`

const BULK_HEAD = `| load | by | seeds | unprocessed at last | shards | target | recorded |
|---|---|---:|---:|---:|---|---|`

const ADOPTED_HEAD = `| load | seeds | settled after | items moved | failed writes | p99 of writes, before and during, ms | target | recorded |
|---|---:|---:|---:|---:|---:|---|---|`

interface Results {
  readonly shapes: readonly Shape[]
  readonly runs: readonly RecordedRun[]
  readonly bulkRuns: readonly RecordedBulkRun[]
  readonly adoptedRuns: readonly RecordedAdoptedRun[]
  /** The pictures of loads, as paths from the page. */
  readonly pictures: readonly { readonly shape: Shape; readonly path: string }[]
}

/** The results as a part of a page: a row for each load and contestant, and the curves. */
export function healingPage({ shapes, runs, bulkRuns, adoptedRuns, pictures }: Results): string {
  const rows = shapes.flatMap((shape) =>
    groups(runs.filter((run) => run.shape === shape.name)).map((group) => rowOf(shape, group)),
  )
  const bulkRows = groups(bulkRuns).map(bulkRowOf)
  const adoptedRows = ADOPTED_KEYS.flatMap((load) => {
    const own = adoptedRuns.filter((run) => run.shape === load.name)
    return own.length === 0 ? [] : [adoptedRowOf(load, own)]
  })
  const images = pictures.map(({ shape, path }) => `![${shape.title}](${path})`)
  const adopted = adoptedRows.length === 0 ? [] : ['', ADOPTED_HEAD, ...adoptedRows]
  return [HEAD, ...rows, '', BULK_HEAD, ...bulkRows, ...adopted, '', images.join('\n\n')].join('\n')
}

function groups<Run extends { readonly contestant: string }>(runs: readonly Run[]): readonly Run[][] {
  const byContestant = new Map<string, Run[]>()
  for (const run of runs) byContestant.set(run.contestant, [...(byContestant.get(run.contestant) ?? []), run])
  return [...byContestant.values()]
}

function rowOf({ title, target }: Shape, runs: readonly RecordedRun[]): string {
  const [first] = runs
  const isOurs = first?.contestant === DEFAULTS.name
  const cells = [
    isOurs ? title : '',
    first?.contestant ?? '',
    runs.length,
    healedText(runs),
    rangeOf(runs.map(({ shards }) => shards)),
    `${rangeOf(runs.map(({ lostUnits, offeredUnits }) => Number(((100 * lostUnits) / offeredUnits).toFixed(2))))} %`,
    `${rangeOf(runs.map((run) => Math.round(run.shardMapWrites)))}, ${rangeOf(runs.map((run) => Math.round(run.shardMapReads)))}`,
    rangeOf(runs.map(({ movedUnits }) => movedUnits)),
    isOurs ? verdictOf(target, runs) : '',
    daysOf(runs),
  ]
  return `| ${cells.join(' | ')} |`
}

function bulkRowOf(runs: readonly RecordedBulkRun[]): string {
  const [first] = runs
  const isOurs = first?.contestant === DEFAULTS.name
  const met = runs.filter((run) => shareOf(run) < BULK_INDEX.maxUnprocessedShare).length
  const cells = [
    isOurs ? BULK_INDEX.title : '',
    first?.contestant ?? '',
    runs.length,
    `${rangeOf(runs.map((run) => Number((100 * shareOf(run)).toFixed(2))))} %`,
    rangeOf(runs.map(({ shardsAt }) => shardsAt.at(-1)?.shards ?? 0)),
    isOurs ? `below ${100 * BULK_INDEX.maxUnprocessedShare} %: ${metText(met, runs.length)}` : '',
    daysOf(runs),
  ]
  return `| ${cells.join(' | ')} |`
}

function adoptedRowOf(load: AdoptedKey, runs: readonly RecordedAdoptedRun[]): string {
  const { seconds, p99Milliseconds } = load.target
  const met = runs.filter((run) => missedByAdoptedKey(load, run).length === 0).length
  const tenths = (values: readonly number[]) => rangeOf(values.map((value) => Number(value.toFixed(1))))
  const cells = [
    load.title,
    runs.length,
    `${rangeOf(runs.map((run) => Math.round(run.seconds)))} s`,
    rangeOf(runs.map(({ movedItems }) => movedItems)),
    rangeOf(runs.map(({ failedWrites }) => failedWrites)),
    `${tenths(runs.map(({ p99Before }) => p99Before))}, ${tenths(runs.map(({ p99During }) => p99During))}`,
    `${seconds.toLocaleString('en')} s, a p99 of at most ${p99Milliseconds} ms, no failed write: ${metText(met, runs.length)}`,
    daysOf(runs),
  ]
  return `| ${cells.join(' | ')} |`
}

function healedText(runs: readonly RecordedRun[]): string {
  const healed = runs.flatMap(({ healedAt }) => healedAt ?? [])
  if (healed.length === 0) return 'never'
  const after = `${rangeOf(healed)} s`
  return healed.length === runs.length ? after : `${after}, or never`
}

function verdictOf(target: HealingTarget, runs: readonly RecordedRun[]): string {
  const met = runs.filter((run) => missedOf(run, target).length === 0).length
  return `${targetText(target)}: ${metText(met, runs.length)}`
}

function metText(met: number, of: number): string {
  if (met === of) return 'met'
  return met === 0 ? '**not met**' : `met in ${met} of ${of}`
}

function targetText(target: HealingTarget): string {
  const { healedSeconds, lastFailureSeconds, maxShards, maxLostUnits, maxShardMapWrites, maxMovedShare } =
    target
  return [
    healedSeconds === undefined ? [] : `${healedSeconds} s`,
    lastFailureSeconds === undefined ? [] : `no failure after ${lastFailureSeconds} s`,
    maxShards === undefined ? [] : `at most ${maxShards} ${maxShards === 1 ? 'shard' : 'shards'}`,
    maxLostUnits === undefined ? [] : `at most ${maxLostUnits.toLocaleString('en')} units lost`,
    maxShardMapWrites === undefined ? [] : `at most ${maxShardMapWrites} writes/s`,
    maxMovedShare === undefined ? [] : `at most ${100 * maxMovedShare} % of the units moved`,
    target.isSensed === true ? 'events in all processes' : [],
    target.emits === undefined ? [] : `the event \`${target.emits}\``,
  ]
    .flat()
    .join(', ')
}

function daysOf(runs: readonly { readonly recordedOn: string }[]): string {
  return [...new Set(runs.map(({ recordedOn }) => recordedOn))].sort().join(', ')
}

/** `3` or `2 to 5`. */
function rangeOf(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const text = (value: number) => value.toLocaleString('en')
  return least === most ? text(least) : `${text(least)} to ${text(most)}`
}
