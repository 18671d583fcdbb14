import type { Finding, FindingWords, ReadableMap } from './finding.js'
import { hotRows } from './hot-rows.js'
import { type RecentRow, recentRows } from './recent-row.js'
import { risingKeys } from './rising-keys.js'
import { OWN_HEAT_PERCENT } from './row-need.js'
import { indexHoldsTable, suddenRise, tableLimit } from './table-patterns.js'

/** A partition that is used to nine tenths has little room for the next second. */
const NEARLY = 90
/** What a partition serves in a second, without what it has saved up. */
const FULL = 100
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
  if (hottest === undefined) return []
  const { peak, place, row } = hottest
  const name = key(row.label)
  const calmly = { pattern: 'calm', level: 'calm', cure: '', place } as const
  if (peak === 0) {
    const evidence = 'The map shows earlier traffic.'
    return [{ ...calmly, title: 'No key has traffic at the end of this span', evidence }]
  }
  if (peak < NEARLY) {
    const evidence = `The hottest is ${name}, at ${percent(peak)}.`
    return [{ ...calmly, title: 'No key is near the limit of a partition', evidence }]
  }
  return [
    {
      ...calmly,
      level: 'warm',
      title:
        peak > FULL
          ? `${name} exceeds the limit of its partition for seconds at a time`
          : `${name} is close to the limit of its partition`,
      evidence:
        peak > FULL
          ? `Its hottest second is at ${percent(peak)}. Nothing was throttled, because an idle partition saves up a second of its capacity.`
          : `Its hottest second is at ${percent(peak)}.`,
      cure: 'Shard it before its traffic grows.',
    },
  ]
}
