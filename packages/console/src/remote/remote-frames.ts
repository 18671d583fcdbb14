import type { HeatCell, HeatFrame, HeatSpan, ThrottlingReason } from '@isotherm/local'
import type { KeySums } from './key-sums.js'
import type { MetricSpan, WantedMetric } from './metric-sums.js'

const KINDS = ['Write', 'Read'] as const
/** Throttles by the limit that was reached. The metrics exist since 2025. */
const LIMITS = [
  'KeyRangeThroughput',
  'ProvisionedThroughput',
  'MaxOnDemandThroughput',
  'AccountLimit',
] as const

type Place = { readonly table: string; readonly index: string | undefined }
type Limits = { readonly writes: number; readonly reads: number }

/** The metrics of a table or an index that a map is made from. */
export function mapMetrics({ table, index }: Place): readonly WantedMetric[] {
  return KINDS.flatMap((kind) => [
    { id: `consumed${kind}`, name: `Consumed${kind}CapacityUnits`, table, index },
    ...LIMITS.map((limit) => ({
      id: `throttled${kind}${limit}`,
      name: `${kind}${limit}ThrottleEvents`,
      table,
      index,
    })),
  ])
}

/**
 * The columns of a map. Outside of the service nobody knows partitions, so the whole table stands for one of unknown heat.
 * A key has a part of the table's reads and writes as large as its part of all units.
 */
export function remoteFrames(
  sums: ReadonlyMap<string, ReadonlyMap<number, number>>,
  keys: readonly KeySums[],
  { from, to, seconds }: MetricSpan,
  { place, limit }: { readonly place: Place; readonly limit: Limits },
): HeatSpan {
  const columns: HeatSpan['columns'][number][] = []
  for (let at = from; at < to; at += seconds * 1_000) {
    const sum = (id: string) => sums.get(id)?.get(at) ?? 0
    const total = emptyCell()
    total.writeUnits = sum('consumedWrite')
    total.readUnits = sum('consumedRead')
    const reasons = new Map<ThrottlingReason, number>()
    for (const kind of KINDS) {
      for (const name of LIMITS) {
        const count = sum(`throttled${kind}${name}`)
        if (count === 0) continue
        if (name === 'KeyRangeThroughput') total.partitionThrottles += count
        else total.tableThrottles += count
        reasons.set(`${place.index === undefined ? 'Table' : 'Index'}${kind}${name}Exceeded`, count)
      }
    }
    const cells = keys.flatMap(({ key, weighted, throttled }) => {
      const cell = keyCell(total, weighted.get(at) ?? 0, throttled.get(at) ?? 0, seconds, limit)
      return cell === undefined ? [] : [[key, cell] as const]
    })
    if (total.writeUnits + total.readUnits + reasons.size + cells.length === 0) continue
    const frame: HeatFrame = { partitions: [[0, total]], keys: cells, reasons }
    columns.push({ at, frame })
  }
  return { from, to, seconds, columns }
}

function keyCell(
  total: HeatCell,
  weighted: number,
  throttled: number,
  seconds: number,
  limit: Limits,
): HeatCell | undefined {
  if (weighted + throttled === 0) return undefined
  const share = Math.min(1, weighted / Math.max(weighted, 3 * total.writeUnits + total.readUnits, 1e-9))
  const [writeUnits, readUnits] = [share * total.writeUnits, share * total.readUnits]
  const peak = Math.max(writeUnits / limit.writes, readUnits / limit.reads) / seconds
  return { writeUnits, readUnits, partitionThrottles: throttled, tableThrottles: 0, peak }
}

function emptyCell(): HeatCell {
  return { writeUnits: 0, readUnits: 0, partitionThrottles: 0, tableThrottles: 0, peak: 0 }
}
