import type { Finding, FindingWords, ReadableMap } from './finding.js'
import { hotRows, OWN_HEAT_PERCENT } from './hot-rows.js'
import { type RecentRow, recentRows } from './recent-row.js'
import { risingKeys } from './rising-keys.js'
import { indexHoldsTable, suddenRise, tableLimit } from './table-patterns.js'

/** A partition that is used to nine tenths has little room for the next second. */
const NEARLY = 90
const MOST_FINDINGS = 3
/** A sudden rise of one key is that key's own heat. */
const SEVERAL_HOT = 3

/** The most important patterns of a map, the worst first. */
export function findingsOf(map: ReadableMap, words: FindingWords): readonly Finding[] {
  const rows = recentRows(map)
  const hot = hotRows(map, rows, words)
  const hotKeys = rows.filter(({ throttles, peak }) => throttles > 0 && peak >= OWN_HEAT_PERCENT).length
  const isWide = hotKeys >= SEVERAL_HOT || hot.some(({ pattern }) => pattern === 'busy-partition')
  const found = [
    indexHoldsTable(map, words),
    risingKeys(map, words),
    isWide ? suddenRise(map, words) : undefined,
    ...hot,
    hot.length === 0 ? tableLimit(map) : undefined,
  ].filter((each) => each !== undefined)
  if (found.length > 0) return found.slice(0, MOST_FINDINGS)
  const cooled = rows.find(({ row }) => row.throttles > 0 && row.peak >= OWN_HEAT_PERCENT)
  return cooled === undefined ? calm(rows, words) : [cooledFinding(map, cooled, words)]
}

function cooledFinding(map: ReadableMap, { row, peak, place }: RecentRow, words: FindingWords): Finding {
  const scaled = map.events.findLast((event) => event.type === 'scaled' && event.key === row.label)
  const how = scaled?.type === 'scaled' ? ` It went from ${scaled.from} to ${scaled.to} shards.` : ''
  return {
    pattern: 'cooled',
    level: 'cooled',
    title: `${words.key(row.label)} was throttled and has cooled`,
    evidence: `Its hottest shard is at ${words.percent(peak)} of a partition now.${how}`,
    cure:
      peak < NEARLY
        ? 'Nothing is left to do.'
        : 'That is close to the limit again. dynamicShards() gives it more shards when it is throttled.',
    place,
  }
}

function calm(rows: readonly RecentRow[], { key, percent }: FindingWords): readonly Finding[] {
  const [hottest] = [...rows].sort((a, b) => b.peak - a.peak)
  if (hottest === undefined || hottest.peak === 0) return []
  const isClose = hottest.peak >= NEARLY
  const name = key(hottest.row.label)
  return [
    {
      pattern: 'calm',
      level: 'calm',
      title: isClose
        ? `${name} is close to the limit of its partition`
        : 'No key is near the limit of a partition',
      evidence: `The hottest is ${name}, at ${percent(hottest.peak)}.`,
      cure: isClose ? 'Shard it before its traffic grows.' : '',
      place: hottest.place,
    },
  ]
}
