import type { AccessKind, Partition } from '../partition/partition.js'
import type { KeyspaceCapacity } from './keyspace-capacity.js'

/** One kind of access to a partition, at one moment. */
export interface PartitionSideReport {
  /** Capacity units consumed since the partition was created. */
  readonly consumedUnits: number
  /** Requests throttled since the partition was created. */
  readonly throttledRequests: number
  /** Units available now. A negative number is a debt. */
  readonly availableUnits: number
}

/** The public report of a partition: its range in hexadecimal bytes, and totals since it was created. */
export interface PartitionReport {
  /** The number of the partition within its table or index. */
  readonly id: number
  /** The first key of the partition, in hexadecimal bytes. */
  readonly from: string
  /** `undefined` for the last partition, which has no end. */
  readonly to: string | undefined
  /** Bytes in the partition, or `undefined` while unknown, after a restart or a split. */
  readonly bytes: number | undefined
  readonly read: PartitionSideReport
  readonly write: PartitionSideReport
}

export function reportPartitions(capacity: KeyspaceCapacity, now: number): readonly PartitionReport[] {
  return capacity.partitions.all.map((partition) => {
    const end = capacity.partitions.endOf(partition)
    return {
      id: partition.id,
      from: hexadecimal(partition.from),
      to: end === undefined ? undefined : hexadecimal(end),
      bytes: partition.bytes,
      read: reportSide(partition, 'read', now),
      write: reportSide(partition, 'write', now),
    }
  })
}

function reportSide(partition: Partition, kind: AccessKind, now: number): PartitionSideReport {
  const { bucket, share, consumedUnits, throttledRequests } = partition[kind]
  const availableUnits = Math.min(bucket.available(now), share?.available(now) ?? Number.POSITIVE_INFINITY)
  return { consumedUnits, throttledRequests, availableUnits }
}

function hexadecimal(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('hex')
}
