/** The consistency of a read, which decides its price. */
export type ReadConsistency = 'eventual' | 'strong' | 'transactional'

/** The service rounds the bytes of a read up to a multiple of this. */
export const READ_UNIT_BYTES = 4096
const WRITE_UNIT_BYTES = 1024
const READ_PRICE: Record<ReadConsistency, number> = { eventual: 0.5, strong: 1, transactional: 2 }

/** A transaction does everything twice: to prepare, and to commit. */
export const TRANSACTIONAL_PRICE = 2

/**
 * Read capacity units for a number of bytes: every started 4 KB costs 1 (strong), 0.5 (eventual) or 2 (transactional).
 * Reading nothing costs as much as the first 4 KB.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export function readUnits(bytes: number, consistency: ReadConsistency): number {
  return Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * READ_PRICE[consistency]
}

/**
 * Write capacity units for a number of bytes: every started 1 KB costs 1, or 2 inside a transaction.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export function writeUnits(bytes: number, { transactional = false } = {}): number {
  const units = Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES))
  return transactional ? units * TRANSACTIONAL_PRICE : units
}
