import type { CapacityParameters } from '../capacity/capacity-parameters.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { Heat } from './heat.js'
import { TokenBucket } from './token-bucket.js'

/** Reads and writes are limited apart, everywhere. */
export type AccessKind = 'read' | 'write'

/** What one kind of access has of a partition: tokens, heat, and totals since birth. */
export interface PartitionSide {
  readonly bucket: TokenBucket
  readonly heat: Heat
  /** Its share of provisioned throughput, where that is divided over the partitions. */
  share: TokenBucket | undefined
  consumedUnits: number
  throttledRequests: number
}

/** A range of a keyspace with a capacity of its own. It begins at `from`, included, and ends where the next begins. */
export class Partition {
  readonly id: number
  readonly from: EncodedKey
  readonly read: PartitionSide
  readonly write: PartitionSide
  /** What lies in it; nothing while that is not known, after a restart or a cut. */
  bytes: number | undefined
  /** Pages of queries and scans since birth. */
  pagesRead = 0

  constructor(id: number, from: EncodedKey, parameters: CapacityParameters, now: number) {
    this.id = id
    this.from = from
    this.read = newSide(parameters.partitionReadUnitsPerSecond, parameters, now)
    this.write = newSide(parameters.partitionWriteUnitsPerSecond, parameters, now)
  }

  /** Whether there is anything left for one kind of access. */
  hasTokens(kind: AccessKind, now: number): boolean {
    const { bucket, share } = this[kind]
    return bucket.available(now) > 0 && (share === undefined || share.available(now) > 0)
  }

  /** When there is something left, from `now` on. */
  freeAt(kind: AccessKind, now: number): number {
    const { bucket, share } = this[kind]
    return Math.max(bucket.freeAt(now), share?.freeAt(now) ?? now)
  }

  take(kind: AccessKind, key: EncodedKey, units: number, now: number): void {
    const side = this[kind]
    side.bucket.take(units)
    side.share?.take(units)
    side.heat.consumed(key, units, now)
    side.consumedUnits += units
  }

  /**
   * Notes a refused request.
   * @param key where the load would have been, if that is known.
   * @param isOwn whether it was the partition that had nothing left. What the limit of the whole table or index refuses
   * makes no partition hot: a cut would not help, and there would be another one every few minutes.
   */
  throttle(kind: AccessKind, key: EncodedKey | undefined, isOwn: boolean, now: number): void {
    const side = this[kind]
    if (isOwn) side.heat.throttled(key, now)
    side.throttledRequests++
  }
}

function newSide(unitsPerSecond: number, parameters: CapacityParameters, now: number): PartitionSide {
  return {
    bucket: new TokenBucket(unitsPerSecond, parameters.partitionBurstSeconds, now),
    heat: new Heat(unitsPerSecond * parameters.heatThreshold),
    share: undefined,
    consumedUnits: 0,
    throttledRequests: 0,
  }
}
