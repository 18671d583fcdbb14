import { CELL } from '../api/heat-map.js'
import type { Finding, FindingWords, ReadableMap } from './finding.js'

const LEAST_KEYS = 6
/** A key of the diagonal has its traffic in a part of the time. */
const MOST_OF_THE_TIME = 0.5
/** Of the pairs of neighbouring keys: the later key has its traffic later. */
const IN_ORDER = 0.9

/** A diagonal: each key has traffic for a while, and then the next one in their order. */
export function risingKeys(map: ReadableMap, { key, figure }: FindingWords): Finding | undefined {
  const { columns, grid } = map
  const begun: { at: number; label: string; keys: number; first: number; last: number }[] = []
  for (const [at, row] of map.rows.entries()) {
    if (row.depth !== 0 || (row.kind !== 'key' && row.kind !== 'range')) continue
    let [first, last] = [-1, -1]
    for (let column = 0; column < columns; column++) {
      if (grid.at(at, column, CELL.peak) === 0) continue
      if (first < 0) first = column
      last = column
    }
    if (first >= 0) begun.push({ at, label: row.label, keys: row.keys, first, last })
  }
  const [one] = begun
  const end = begun.at(-1)
  if (one === undefined || end === undefined || begun.length < LEAST_KEYS) return undefined
  const span = Math.max(...begun.map(({ last }) => last)) - Math.min(...begun.map(({ first }) => first)) + 1
  const short = begun.filter(({ first, last }) => last - first + 1 <= span * MOST_OF_THE_TIME)
  const later = begun.filter(({ first }, index) => index > 0 && first > (begun[index - 1]?.first ?? 0))
  if (short.length < begun.length * IN_ORDER || later.length < (begun.length - 1) * IN_ORDER) return undefined
  const keys = begun.reduce((sum, each) => sum + each.keys, 0)
  // A range is named by its first and its last key.
  const newest = end.label.split(' … ').at(-1) ?? end.label
  return {
    pattern: 'rising-keys',
    level: map.rows.some(({ throttles }) => throttles > 0) ? 'hot' : 'calm',
    title: 'The keys rise with time, so the traffic is always on the newest',
    evidence: `${figure(keys)} keys have traffic one after the other, from ${key(one.label)} to ${key(newest)}.`,
    cure: 'Splits for heat cannot help: when a partition is split, the traffic is already on a newer key. Put an identifier before the time in the partition key, or shard the key of each period.',
    place: { rows: [one.at, end.at], columns: [one.first, end.last] },
  }
}
