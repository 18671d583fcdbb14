import { PARTITION_READ_UNITS, PARTITION_WRITE_UNITS } from '../sizing/partition-limits.js'

/** A figure, and the least and the most that it can be. */
export interface Estimate {
  readonly value: number
  readonly atLeast: number
  readonly atMost: number
}

/** The traffic of one key in units per second, reads and writes apart. */
export interface KeyHeat {
  readonly writes: Estimate
  readonly reads: Estimate
  /** The larger of its parts of a partition's writes and reads. */
  readonly ofPartition: Estimate
}

/** Contributor Insights adds 3 for a write unit and 1 for a read unit. */
const WRITE_WEIGHT = 3

/**
 * Separates the writes and reads of a key. Contributor Insights reports their sum, 3 times the write units plus the read
 * units. What the table consumed as a whole bounds both: a key cannot read more than its table.
 *
 * The estimate has the table's own mixture, within the bounds.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/contributorinsights_HowItWorks.html
 * @param weighted of the key, per second
 * @param table units per second of the whole table or index
 * @example
 * // A table that is only written to: all of it is writes.
 * keyHeat(3_000, { writeUnits: 2_000, readUnits: 0 }).writes // { value: 1_000, atLeast: 1_000, atMost: 1_000 }
 */
export function keyHeat(
  weighted: number,
  table: { readonly writeUnits: number; readonly readUnits: number },
): KeyHeat {
  const all = WRITE_WEIGHT * table.writeUnits + table.readUnits
  // The two sources are sampled apart: a key may seem to have a little more than its table.
  const [tableWrites, tableReads] =
    all >= weighted || all === 0
      ? [table.writeUnits, table.readUnits]
      : [(table.writeUnits * weighted) / all, (table.readUnits * weighted) / all]
  const known = all > 0
  const writesAtMost = known ? Math.min(weighted / WRITE_WEIGHT, tableWrites) : weighted / WRITE_WEIGHT
  const readsAtMost = known ? Math.min(weighted, tableReads) : weighted
  const writesAtLeast = Math.max(0, (weighted - readsAtMost) / WRITE_WEIGHT)
  const readsAtLeast = Math.max(0, weighted - WRITE_WEIGHT * writesAtMost)
  const mixture = known ? (WRITE_WEIGHT * table.writeUnits) / all : 0.5
  const writes = clamped((weighted * mixture) / WRITE_WEIGHT, writesAtLeast, writesAtMost)
  const reads = clamped(weighted - WRITE_WEIGHT * writes.value, readsAtLeast, readsAtMost)
  return {
    writes,
    reads,
    ofPartition: {
      value: part(writes.value, reads.value),
      // The sum is fixed, so the larger part is smallest where both are equal.
      atLeast: Math.max(part(writes.atLeast, reads.atLeast), weighted / PARTITION_READ_UNITS / 2),
      atMost: part(writes.atMost, reads.atMost),
    },
  }
}

function part(writes: number, reads: number): number {
  return Math.max(writes / PARTITION_WRITE_UNITS, reads / PARTITION_READ_UNITS)
}

function clamped(value: number, atLeast: number, atMost: number): Estimate {
  return { value: Math.min(Math.max(value, atLeast), atMost), atLeast, atMost }
}
