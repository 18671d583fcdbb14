import type { Finding, FindingWords, ReadableMap } from './finding.js'
import { presentOf } from './recent-row.js'

/** The seconds within which a rise is sudden. */
const RISE_SECONDS = 10
const RISE_FACTOR = 4
/** Below this many units a second nothing is a rise that matters, as a share of what a partition serves. */
const LEAST_OF_A_PARTITION = 1

/** The whole table or index is throttled by its own limit. */
export function tableLimit(map: ReadableMap): Finding | undefined {
  const since = presentOf(map)
  const reasons = Object.entries(map.totals.throttles)
    .filter(
      ([reason, counts]) => !reason.includes('KeyRange') && counts.slice(since).some((count) => count > 0),
    )
    .map(([reason]) => reason)
  if (reasons.length === 0) return undefined
  return {
    pattern: 'table-limit',
    level: 'limited',
    title: 'The whole table is throttled, and no partition is at its limit',
    evidence: `Reason: ${reasons.join(', ')}.`,
    cure: 'Raise the capacity of the table. More shards would not help.',
    place: { rows: [0, Math.max(0, map.rows.length - 1)], columns: throttledColumns(map, reasons) },
  }
}

/** Writes of a table are refused because one of its indexes cannot keep up. */
export function indexHoldsTable(map: ReadableMap, { figure }: FindingWords): Finding | undefined {
  const since = presentOf(map)
  const reasons = Object.keys(map.totals.throttles).filter((reason) => reason.startsWith('IndexWrite'))
  const rate = reasons
    .flatMap((reason) => map.totals.throttles[reason]?.slice(since) ?? [])
    .reduce((sum, count) => sum + count, 0)
  if (rate === 0) return undefined
  return {
    pattern: 'index-holds-table',
    level: 'hot',
    title: 'This index holds the writes of its table back',
    evidence: `${figure(rate / (map.columns - since))} writes a second to the table are refused, because the queue of the index is full. Reason: ${reasons.join(', ')}.`,
    cure: 'Shard the key of the index, or leave items out of it that no query needs (a sparse index). The keys of the table are not the cause.',
    place: { rows: [0, Math.max(0, map.rows.length - 1)], columns: throttledColumns(map, reasons) },
  }
}

/** Traffic that grows several times within seconds, on more keys than one: partitions have to be there before it. */
export function suddenRise(map: ReadableMap, { figure }: FindingWords): Finding | undefined {
  const { totals, seconds, columns, limit } = map
  const asked = totals.writes.map((writes, at) => writes + (totals.reads[at] ?? 0) + throttlesAt(map, at))
  const step = Math.max(1, Math.round(RISE_SECONDS / seconds))
  let rise: { at: number; before: number; after: number } | undefined
  for (let at = step; at < columns; at++) {
    const [before, after] = [asked[at - step] ?? 0, asked[at] ?? 0]
    const isRise = after >= RISE_FACTOR * Math.max(1, before) && after >= LEAST_OF_A_PARTITION * limit.writes
    if (
      isRise &&
      throttlesAt(map, at) > 0 &&
      (rise === undefined || after - before > rise.after - rise.before)
    )
      rise = { at, before, after }
  }
  if (rise === undefined) return undefined
  const { at, before, after } = rise
  return {
    pattern: 'sudden-rise',
    level: 'hot',
    title: 'The traffic rose faster than partitions come',
    evidence: `From ${figure(before)} to ${figure(after)} requests a second within ${figure(step * seconds)} s, and requests were throttled in the same second.`,
    cure: 'Raise the warm throughput of the table (and of its indexes) before such a load, so that there are partitions for it. It takes minutes, and can be done with UpdateTable.',
    place: {
      rows: [0, Math.max(0, map.rows.length - 1)],
      columns: [Math.max(0, at - step), columns - 1],
    },
  }
}

function throttlesAt({ totals }: ReadableMap, column: number): number {
  return Object.values(totals.throttles).reduce((sum, counts) => sum + (counts[column] ?? 0), 0)
}

function throttledColumns(map: ReadableMap, reasons: readonly string[]): readonly [number, number] {
  const found = Array.from({ length: map.columns }, (_, column) => column).filter((column) =>
    reasons.some((reason) => (map.totals.throttles[reason]?.[column] ?? 0) > 0),
  )
  return [found[0] ?? 0, found.at(-1) ?? map.columns - 1]
}
