import { compareKeyValues, type KeyValue } from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import { type KeyRange, rangeOfPartition } from '../keyspace/key-range.js'
import type { KeyBranch } from './key-branches.js'

/** A range of a table or index to read, within one partition key. */
export interface ReadRange {
  readonly partition: readonly KeyValue[]
  readonly range: KeyRange
}

/** The order of partition keys, and of items within a partition key. */
export interface ReadOrder {
  readonly partitionsDescending: boolean
  readonly itemsDescending: boolean
}

/**
 * The ranges of all branches, in the order of reading.
 *
 * @throws ServiceError when two branches would find the same items. The service does not check this for branches that
 * negate a sort key. Those are merged with their neighbours into one range.
 */
export function readRanges(branches: readonly KeyBranch[], order: ReadOrder): readonly ReadRange[] {
  const groups = new Map<string, KeyBranch[]>()
  for (const branch of branches) {
    const key = JSON.stringify(branch.partition.map(comparable))
    groups.set(key, [...(groups.get(key) ?? []), branch])
  }
  return [...groups.values()]
    .toSorted((a, b) => comparePartitions(a[0], b[0]) * (order.partitionsDescending ? -1 : 1))
    .flatMap((group) => rangesOfPartition(group, order.itemsDescending))
}

function rangesOfPartition(branches: readonly KeyBranch[], descending: boolean): ReadRange[] {
  const partition = branches[0]?.partition ?? []
  const ranges = branches.map(rangeOf).toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
  const overlap = ranges.some((range, index) => {
    const previous = ranges[index - 1]
    return previous !== undefined && (previous.to === undefined || range.from < previous.to)
  })
  if (!overlap) {
    const read = ranges.map((range) => ({ partition, range }))
    return descending ? read.reverse() : read
  }
  if (!branches.some(({ negated }) => negated)) {
    throw validationException('Overlapping conditions with range keys are not supported in where clause')
  }
  return [{ partition, range: rangeOfPartition(partition) }]
}

/** The range of all of the branch's tests. If that is empty, tests after the first ones are ignored. */
function rangeOf({ partition, sort, narrowing }: KeyBranch): KeyRange {
  let range = rangeOfPartition(partition, sort)
  for (const test of narrowing) {
    const next = rangeOfPartition(partition, [...sort, test])
    let { from, to } = range
    if (next.from > from) from = next.from
    if (to === undefined || (next.to !== undefined && next.to < to)) to = next.to
    if (to !== undefined && from >= to) break
    range = { from, to }
  }
  return range
}

function comparePartitions(a: KeyBranch | undefined, b: KeyBranch | undefined): number {
  for (const [index, value] of (a?.partition ?? []).entries()) {
    const other = b?.partition[index]
    const order = other === undefined ? undefined : compareKeyValues(value, other)
    if (order !== undefined && order !== 0) return order
  }
  return 0
}

function comparable(value: KeyValue): string {
  if ('S' in value) return value.S
  return 'N' in value ? value.N : Buffer.from(value.B).toString('latin1')
}
