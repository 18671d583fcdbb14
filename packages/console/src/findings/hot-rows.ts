import type { Finding, FindingWords, ReadableMap } from './finding.js'
import type { RecentRow } from './recent-row.js'
import { OWN_HEAT_PERCENT, rowNeed } from './row-need.js'
import { CONFIDENCE, FILLED, type ShardNeed } from './shards-needed.js'

const MOST_HOT = 2

/** Horizontal bands at the limit. */
export function hotRows(
  map: ReadableMap,
  rows: readonly RecentRow[],
  words: FindingWords,
): readonly Finding[] {
  const throttled = rows.filter(({ throttles }) => throttles > 0)
  const hot = throttled.filter(({ peak }) => peak >= OWN_HEAT_PERCENT)
  hot.sort((a, b) => b.throttles - a.throttles)
  if (hot.length > 0) {
    const beside = throttled.filter(({ peak }) => peak < OWN_HEAT_PERCENT)
    const found = hot.slice(0, MOST_HOT).map((each) => hotRow(map, each, words))
    return [...found, ...(beside.length === 0 ? [] : [neighbours(beside, hot, words)])]
  }
  return throttled.length === 0 ? [] : [busyPartition(map, throttled, words)]
}

function hotRow(map: ReadableMap, recent: RecentRow, words: FindingWords): Finding {
  const { at, row, throttles, place } = recent
  const { figure, key } = words
  const need = rowNeed(map, at)
  const { access, capacity } = need
  const accepted = access === 'write' ? recent.writes : recent.reads
  const has = row.kind === 'key' && row.keys > 1 ? ` It has ${row.keys} shards.` : ''
  return {
    pattern: 'hot-key',
    level: 'hot',
    title: `${key(row.label)} is at the limit of its partition`,
    evidence: `Now, ${figure(accepted)} ${access} units a second are accepted and ${figure(throttles)} requests a second throttled. One partition serves ${figure(capacity)}.${has}`,
    cure:
      row.kind === 'key'
        ? cureOf(map, row.keys, need, words)
        : 'Open the row to see which of its keys is hot.',
    place,
  }
}

function cureOf(
  { partitions: there }: ReadableMap,
  now: number,
  { access, asked, capacity, least, shards, partitions, isShort, oddsNow }: ShardNeed,
  { figure, percent }: FindingWords,
): string {
  const odds = percent(CONFIDENCE * 100)
  const sure = isShort
    ? `The ${figure(there)} partitions of the table cannot carry it for sure: raise its warm throughput to ${figure(partitions * capacity)} ${access} units a second. Then ${figure(shards)} shards are enough with odds of ${odds}.`
    : `Shards meet in partitions: on the ${figure(there)} partitions that there are now, ${figure(shards)} are enough with odds of ${odds}.`
  if (now >= least) {
    return `It has enough shards for its traffic, so one of them is hot alone: one item, which no shard count helps, or two shards that share a partition. Open the row to see which. The odds that ${figure(now)} shards fit are ${percent(100 * oddsNow)}. ${sure}`
  }
  return `Give this key ${figure(least)} shards or more. At its hottest in this span, it was asked for about ${figure(asked)} requests a second, retries included, which they would take at ${percent(FILLED * 100)} of a partition each. ${sure} dynamicShards() does so by itself.`
}

function neighbours(
  beside: readonly RecentRow[],
  hot: readonly RecentRow[],
  { key, figure }: FindingWords,
): Finding {
  const [first] = beside
  const causes = hot.map(({ row }) => key(row.label)).slice(0, MOST_HOT)
  const others = beside.length === 1 ? '' : ` and ${figure(beside.length - 1)} more`
  const throttles = beside.reduce((sum, each) => sum + each.throttles, 0)
  const rows = beside.map(({ at }) => at)
  return {
    pattern: 'neighbour',
    level: 'hot',
    title: `${key(first?.row.label ?? '')}${others} ${beside.length === 1 ? 'is' : 'are'} throttled beside a hot key`,
    evidence: `${figure(throttles)} requests a second, at less than ${OWN_HEAT_PERCENT} % of a partition. Their partition is filled by another key.`,
    cure: `They need no shards. They recover when ${causes.join(' or ')} does.`,
    place: {
      rows: [Math.min(...rows), Math.max(...rows)],
      columns: [
        Math.min(...beside.map(({ place }) => place.columns[0])),
        Math.max(...beside.map(({ place }) => place.columns[1])),
      ],
    },
  }
}

/** One partition is hot, and none of its keys is. */
function busyPartition(map: ReadableMap, throttled: readonly RecentRow[], words: FindingWords): Finding {
  const { figure, percent } = words
  const throttles = throttled.reduce((sum, each) => sum + each.throttles, 0)
  const hottest = throttled.reduce((a, b) => (b.peak > a.peak ? b : a))
  const split = map.events.findLast(({ type }) => type === 'split' || type === 'split-refused')
  const refused = split?.type === 'split-refused' ? ` DynamoDB could not split it: ${split.reason}.` : ''
  const rows = throttled.map(({ at }) => at)
  return {
    pattern: 'busy-partition',
    level: 'hot',
    title: 'A partition is at its limit, and none of its keys is',
    evidence: `At least ${figure(throttled.length)} keys are throttled, ${figure(throttles)} requests a second. The hottest of them uses ${percent(hottest.peak)} of a partition.${refused}`,
    cure:
      split?.type === 'split'
        ? 'Its partition was split in this span. If the throttling continues, hot shards share a partition: give their keys more shards.'
        : 'Within minutes, DynamoDB splits a partition that stays hot. Retry until then, or raise the warm throughput of the table before such a load.',
    place: { rows: [Math.min(...rows), Math.max(...rows)], columns: [0, map.columns - 1] },
  }
}
