import type { Access, ThrottleScope } from '../../events/event.js'
import type { TableCapacity } from './table-capacity.js'
import type { TableUsage } from './table-usage.js'

type KnownScope = Extract<ThrottleScope, 'partition' | 'table' | 'unknown'>

/**
 * A table that uses this share of its capacity over a whole minute is full. Below 1, because metrics are means, and the
 * traffic of a full table is not equal in each second.
 */
const FULL_SHARE = 0.8

/** With this share of the throttles by the table itself, more shards do not help: all its partitions wait for it. */
const MIN_TABLE_SHARE = 0.1

/**
 * What one partition accepts per second.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
const PARTITION_UNITS: Readonly<Record<Access, number>> = { read: 3_000, write: 1_000 }

/**
 * What every on-demand table accepts per second.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html
 */
const ON_DEMAND_UNITS: Readonly<Record<Access, number>> = { read: 12_000, write: 4_000 }

/**
 * The resource that throttled a request to which the service gave no reason, by the figures of the whole table: its
 * capacity, and what all processes use of it. The figures of one process prove nothing, because it sees only its own
 * share.
 *
 * @param usage `undefined` if it is not known
 */
export function scopeByUsage(
  access: Access,
  capacity: TableCapacity,
  usage: TableUsage | undefined,
): KnownScope {
  const limit = limitOf(access, capacity)
  // With more shards, all partitions together would still accept no more.
  if (limit !== undefined && limit <= PARTITION_UNITS[access]) return 'table'
  if (usage === undefined) return 'unknown'
  const { partition = 0, table = 0 } = usage.throttles ?? {}
  if (partition + table > 0) {
    return table >= MIN_TABLE_SHARE * (partition + table) ? 'table' : 'partition'
  }
  if (limit !== undefined && usage.unitsPerSecond >= FULL_SHARE * limit) return 'table'
  if (capacity.mode === 'provisioned') return 'partition'
  const { warm } = capacity[access]
  // Above that, all its partitions may be full, and the service adds more by itself.
  if (usage.unitsPerSecond < FULL_SHARE * (warm ?? ON_DEMAND_UNITS[access])) return 'partition'
  return warm === undefined ? 'unknown' : 'table'
}

/** The units per second that the table's settings allow. */
function limitOf(access: Access, capacity: TableCapacity): number | undefined {
  if (capacity.mode === 'on-demand') return capacity[access].maximum
  return access === 'read' ? capacity.readUnits : capacity.writeUnits
}
