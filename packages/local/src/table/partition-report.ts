import type { KeyspaceCapacity } from '../capacity/keyspace-capacity.js'
import type { AccessKind, Partition } from '../partition/partition.js'

/** One side of a partition, at one moment. */
export interface PartitionSideReport {
  readonly consumedUnits: number
  readonly throttledRequests: number
  /** Units that could be taken now; below zero, a debt. */
  readonly availableUnits: number
}

/** A partition as seen from outside: its range in hexadecimal bytes, and what it did since birth. */
export interface PartitionReport {
  readonly id: number
  readonly from: string
  /** Nothing for the last partition, which has no end. */
  readonly to: string | undefined
  /** What lies in it; nothing while that is not known, after a restart or a cut. */
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
