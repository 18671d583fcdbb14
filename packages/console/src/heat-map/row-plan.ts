import type { HeatKey, PartitionReport } from '@isotherm/local'
import type { HeatMapRequest, HeatMapRow } from '../api/heat-map.js'
import { labelOf, logicalKeyOf } from './logical-key.js'

/** A row before it has figures. */
export interface PlannedRow {
  readonly id: string
  readonly kind: HeatMapRow['kind']
  readonly label: string
  readonly keys: readonly HeatKey[]
  /** The partition whose own figures the row has, in place of the sum of its keys. */
  readonly partition?: number
  readonly depth: 0 | 1
  readonly folds: boolean
  readonly isOpen: boolean
}

/** The keys of a span, with the weights that decide which get a row of their own. */
export type KeyWeights = ReadonlyMap<HeatKey, number>

/** The rows of a heat map, from top to bottom. */
export function planRows(
  weights: KeyWeights,
  partitionIds: ReadonlySet<number>,
  partitions: readonly PartitionReport[],
  request: HeatMapRequest,
): readonly PlannedRow[] {
  const { by, rows } = request
  if (by === 'partition') return opened(partitionRows(weights, partitionIds, partitions, request), request)
  const groups = groupsOf(weights, request)
  const weightOf = ({ keys }: PlannedRow) => keys.reduce((sum, key) => sum + (weights.get(key) ?? 0), 0)
  return opened(withRanges(groups, weightOf, Math.max(2, rows)), request)
}

function groupsOf(weights: KeyWeights, request: HeatMapRequest): readonly PlannedRow[] {
  const { by, delimiter, separator, firstKey, lastKey, open } = request
  const groups = new Map<string, HeatKey[]>()
  for (const key of weights.keys()) {
    const { logical } = logicalKeyOf(key, delimiter)
    if (firstKey !== undefined && logical < firstKey) continue
    if (lastKey !== undefined && logical > lastKey) continue
    const name = by === 'prefix' ? prefixOf(logical, separator) : logical
    const members = groups.get(name) ?? []
    groups.set(name, members)
    members.push(key)
  }
  return [...groups].sort(byName).map(([label, keys]) => {
    const id = `${by}:${label}`
    const folds = keys.length > 1
    return {
      id,
      kind: by === 'prefix' ? 'prefix' : 'key',
      label,
      keys,
      depth: 0,
      folds,
      isOpen: folds && open.includes(id),
    }
  })
}

function prefixOf(label: string, separator: string): string {
  const at = separator === '' ? -1 : label.indexOf(separator, 1)
  return at < 0 ? label : label.slice(0, at + separator.length)
}

/** The heaviest rows stay; what lies between two of them becomes one range. Open rows stay, too. */
function withRanges(
  rows: readonly PlannedRow[],
  weightOf: (row: PlannedRow) => number,
  limit: number,
): readonly PlannedRow[] {
  if (rows.length <= limit) return rows
  const own = Math.floor(limit / 2)
  const heaviest = [...rows].sort((a, b) => weightOf(b) - weightOf(a)).slice(0, own)
  const kept = new Set([...heaviest, ...rows.filter(({ isOpen }) => isOpen)])
  const result: PlannedRow[] = []
  let cold: PlannedRow[] = []
  const close = () => {
    const [first] = cold
    const last = cold.at(-1)
    if (first === undefined || last === undefined) return
    result.push(cold.length === 1 ? first : rangeOf(cold, first, last))
    cold = []
  }
  for (const row of rows) {
    if (kept.has(row)) {
      close()
      result.push(row)
    } else cold.push(row)
  }
  close()
  return result
}

function rangeOf(rows: readonly PlannedRow[], first: PlannedRow, last: PlannedRow): PlannedRow {
  return {
    id: `range:${first.label}…${last.label}:${rows.length}`,
    kind: 'range',
    label: `${first.label} … ${last.label}`,
    keys: rows.flatMap(({ keys }) => keys),
    depth: 0,
    folds: false,
    isOpen: false,
  }
}

function partitionRows(
  weights: KeyWeights,
  ids: ReadonlySet<number>,
  partitions: readonly PartitionReport[],
  { open }: HeatMapRequest,
): readonly PlannedRow[] {
  const known = new Set(partitions.map(({ id }) => id))
  const gone = [...ids].filter((id) => !known.has(id)).map((id) => ({ id, from: undefined, to: undefined }))
  return [...partitions, ...gone].map(({ id, from, to }) => {
    const keys =
      from === undefined
        ? []
        : [...weights.keys()].filter(
            ({ hash }) => hash >= hashOf(from) && (to === undefined || hash < hashOf(to)),
          )
    const row = `partition:${id}`
    const folds = keys.length > 0
    const isOpen = folds && open.includes(row)
    return {
      id: row,
      kind: 'partition',
      label: `partition ${id}`,
      keys,
      partition: id,
      depth: 0,
      folds,
      isOpen,
    }
  })
}

/** The hash in a border, in hexadecimal digits. A border inside of one partition key has more than a hash. */
function hashOf(border: string): string {
  return border.slice(0, 16)
}

/** Adds the members of open rows. */
function opened(rows: readonly PlannedRow[], request: HeatMapRequest): readonly PlannedRow[] {
  return rows.flatMap((row) => (row.isOpen ? [row, ...membersOf(row, request)] : [row]))
}

function membersOf(row: PlannedRow, { delimiter, rows }: HeatMapRequest): readonly PlannedRow[] {
  const members = row.keys.map((key) => ({
    key,
    label: labelOf(key),
    shard: logicalKeyOf(key, delimiter).shard,
  }))
  const inOrder = (shard: number | undefined) => (row.kind === 'key' ? (shard ?? 0) : 0)
  members.sort((a, b) => inOrder(a.shard) - inOrder(b.shard) || (a.label < b.label ? -1 : 1))
  return members.slice(0, rows).map(({ key, label, shard }) => ({
    id: `${row.id}/${key.hash}`,
    kind: row.kind === 'key' && shard !== undefined ? 'shard' : 'member',
    label,
    keys: [key],
    depth: 1,
    folds: false,
    isOpen: false,
  }))
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}
