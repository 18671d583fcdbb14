import { CELL, type HeatMap, type HeatMapRow } from '../../src/api/heat-map'
import { figure, percent } from '../format/figures'
import { keyText } from '../format/redact'
import { OWN_HEAT_PERCENT } from '../map/colour'
import type { ShownMap } from '../map/grid'
import { throttlesOf } from '../map/histograms'

/** A recognised pattern: what is seen, in which figures, and what helps. */
export interface Finding {
  readonly level: 'hot' | 'limited' | 'cooled' | 'calm'
  readonly title: string
  readonly evidence: string
  readonly cure: string
}

/** A partition that is used to nine tenths has little room for the next second. */
const NEARLY = 90
/** A pattern of the present is one of the last columns. */
const RECENT_SHARE = 0.1
/** A key that needs several partitions should not fill them: shards meet in partitions, and traffic is uneven. */
const FILLED = 0.7

/** A row with its latest figures. */
interface RecentRow extends ReturnType<typeof recent> {
  readonly row: HeatMapRow
}

const KINDS: ReadonlySet<HeatMapRow['kind']> = new Set(['key', 'partition', 'prefix'])

/** The most important patterns of a map, the worst first. */
export function findingsOf(map: ShownMap): readonly Finding[] {
  const since = map.columns - Math.max(3, Math.ceil(map.columns * RECENT_SHARE))
  const rows = map.rows.flatMap((row, at): readonly RecentRow[] =>
    row.depth === 0 && KINDS.has(row.kind) ? [{ row, ...recent(map, at, since) }] : [],
  )
  const hot = rows.filter(({ throttles, peak }) => throttles > 0 && peak >= OWN_HEAT_PERCENT)
  hot.sort((a, b) => b.throttles - a.throttles)
  if (hot.length > 0) return hot.slice(0, 2).map((each) => hotFinding(map, each))
  if (isTableLimited(map, since)) return [limitedFinding(map)]
  const cooled = rows.find(({ row }) => row.throttles > 0 && row.peak >= OWN_HEAT_PERCENT)
  return cooled === undefined ? calmFindings(rows) : [cooledFinding(map, cooled)]
}

function hotFinding({ limit }: HeatMap, { row, writes, reads, throttles }: RecentRow): Finding {
  const asked = writes + reads + throttles
  const isWrite = writes / limit.writes >= reads / limit.reads
  const capacity = isWrite ? limit.writes : limit.reads
  const shards = Math.max(2, Math.ceil(asked / (capacity * FILLED)))
  const figures = `${figure(isWrite ? writes : reads)} ${isWrite ? 'write' : 'read'} units a second accepted, ${figure(throttles)} requests a second throttled`
  const isKey = row.kind === 'key'
  return {
    level: 'hot',
    title: `${keyText(row.label)} is at the limit of its partition`,
    evidence: `${figures}. One partition serves ${figure(capacity)}.`,
    cure: isKey
      ? `Give this key ${shards} shards or more: they would take about ${figure(asked)} requests a second, retries included, at ${figure(FILLED * 100)} % of a partition each. dynamicShards() does so by itself.`
      : 'Open the row to see which of its keys is hot.',
  }
}

function limitedFinding(map: HeatMap): Finding {
  const reasons = Object.keys(map.totals.throttles).filter((reason) => !reason.includes('KeyRange'))
  return {
    level: 'limited',
    title: 'The whole table is throttled, and no partition is at its limit',
    evidence: `Reason: ${reasons.join(', ')}.`,
    cure: 'Raise the capacity of the table. More shards would not help.',
  }
}

function cooledFinding(map: HeatMap, { row, peak }: RecentRow): Finding {
  const scaled = map.events.findLast((event) => event.type === 'scaled' && event.key === row.label)
  const how = scaled?.type === 'scaled' ? ` It went from ${scaled.from} to ${scaled.to} shards.` : ''
  return {
    level: 'cooled',
    title: `${keyText(row.label)} was throttled and has cooled`,
    evidence: `Its hottest shard is at ${percent(peak)} of a partition now.${how}`,
    cure:
      peak < NEARLY
        ? 'Nothing is left to do.'
        : 'That is close to the limit again. dynamicShards() gives it more shards when it is throttled.',
  }
}

function calmFindings(rows: readonly RecentRow[]): readonly Finding[] {
  const [hottest] = [...rows].sort((a, b) => b.peak - a.peak)
  if (hottest === undefined || hottest.peak === 0) return []
  const isClose = hottest.peak >= NEARLY
  return [
    {
      level: 'calm',
      title: isClose
        ? `${keyText(hottest.row.label)} is close to the limit of its partition`
        : 'No key is near the limit of a partition',
      evidence: `The hottest is ${keyText(hottest.row.label)}, at ${percent(hottest.peak)}.`,
      cure: isClose ? 'Shard it before its traffic grows.' : '',
    },
  ]
}

function isTableLimited(map: HeatMap, since: number): boolean {
  return throttlesOf(map)
    .slice(since)
    .some((count) => count > 0)
}

/** The hottest second of the last columns, and the average rates of those with traffic. */
function recent({ grid, columns }: ShownMap, row: number, since: number) {
  let [peak, writes, reads, throttles, filled] = [0, 0, 0, 0, 0]
  for (let column = since; column < columns; column++) {
    const number = (of: number) => grid.at(row, column, of)
    if (number(CELL.peak) === 0 && number(CELL.partitionThrottles) === 0) continue
    filled++
    peak = Math.max(peak, number(CELL.peak))
    writes += number(CELL.writes)
    reads += number(CELL.reads)
    throttles += number(CELL.partitionThrottles)
  }
  const of = Math.max(1, filled)
  return { peak, writes: writes / of, reads: reads / of, throttles: throttles / of }
}
