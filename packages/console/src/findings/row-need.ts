import { CELL } from '../api/heat-map.js'
import type { ReadableMap } from './finding.js'
import { type AskedTraffic, type ShardNeed, shardsNeeded } from './shards-needed.js'

/** A row below this share of its partition does not fill it: another one does. */
export const OWN_HEAT_PERCENT = 50

/**
 * How many shards a row of a map needs, by the column of the whole span in which it asked for most. Both the sentences above the
 * map and the table below it use this, so that they agree. The present alone would advise too few shards whenever the load is
 * between two of its peaks.
 */
export function rowNeed(map: ReadableMap, at: number): ShardNeed {
  const row = map.rows[at]
  const now = row?.kind === 'key' ? row.keys : 1
  const { hottest, isThrottled } = trafficOf(map, at)
  const need = shardsNeeded(hottest, map, now)
  // Its traffic fits on average, so it is throttled in parts of the columns.
  const least = isThrottled && (row?.peak ?? 0) >= OWN_HEAT_PERCENT ? 2 : 1
  return { ...need, least: Math.max(least, need.least), shards: Math.max(least, need.shards) }
}

function trafficOf(
  { grid, columns, totals }: ReadableMap,
  at: number,
): { readonly hottest: AskedTraffic; readonly isThrottled: boolean } {
  let hottest: AskedTraffic = { writes: 0, reads: 0, throttles: 0, otherWrites: 0, otherReads: 0 }
  let most = 0
  let isThrottled = false
  for (let column = 0; column < columns; column++) {
    const [writes, reads] = [grid.at(at, column, CELL.writes), grid.at(at, column, CELL.reads)]
    const throttles = grid.at(at, column, CELL.partitionThrottles)
    isThrottled ||= throttles > 0
    if (writes + reads + throttles <= most) continue
    most = writes + reads + throttles
    const otherWrites = Math.max(0, (totals.writes[column] ?? 0) - writes)
    const otherReads = Math.max(0, (totals.reads[column] ?? 0) - reads)
    hottest = { writes, reads, throttles, otherWrites, otherReads }
  }
  return { hottest, isThrottled }
}
