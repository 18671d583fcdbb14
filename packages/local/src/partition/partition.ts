import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { CapacityParameters } from './capacity-parameters.js'
import { Heat } from './heat.js'
import { TokenBucket } from './token-bucket.js'

/** Reads and writes are limited separately at every level. */
export type AccessKind = 'read' | 'write'

/** The state of one kind of access: tokens, heat, and totals since the partition was created. */
export interface PartitionSide {
  readonly bucket: TokenBucket
  readonly heat: Heat
  /** Its share of provisioned throughput, where that is divided over the partitions. */
  share: TokenBucket | undefined
  consumedUnits: number
  throttledRequests: number
}

/** A range of a keyspace with its own capacity. It begins at `from` (inclusive) and ends where the next one begins. */
export class Partition {
  readonly id: number
  readonly from: EncodedKey
  readonly read: PartitionSide
  readonly write: PartitionSide
  /** Bytes in the partition, or `undefined` while unknown, after a restart or a split. */
  bytes: number | undefined
  /** Pages of queries and scans since the partition was created. */
  pagesRead = 0

  /**
   * @param writeBurstSeconds seconds of its write rate that the partition may spend at once.
   * @param source the partition that it was split from, with whose saved units it continues.
   */
  constructor(
    id: number,
    from: EncodedKey,
    parameters: CapacityParameters,
    writeBurstSeconds: number,
    now: number,
    source?: Partition,
  ) {
    this.id = id
    this.from = from
    const { partitionReadUnitsPerSecond: reads, partitionWriteUnitsPerSecond: writes } = parameters
    const burst = parameters.partitionBurstSeconds
    this.read = newSide(reads, burst, burst, parameters, now)
    const saved = source === undefined ? writeBurstSeconds : source.write.bucket.available(now) / writes
    this.write = newSide(writes, writeBurstSeconds, Math.max(burst, saved), parameters, now)
  }

  /** Whether any units are left for one kind of access. */
  hasTokens(kind: AccessKind, now: number): boolean {
    const { bucket, share } = this[kind]
    return bucket.available(now) > 0 && (share === undefined || share.available(now) > 0)
  }

  /** The earliest time, from `now` on, when units are available. */
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
   * Records a throttled request.
   * @param key the key that would have received the load, if known.
   * @param isOwn whether the partition itself was exhausted. A request throttled by the limit of the whole table or
   * index makes no partition hot: a split would not help, and another one would follow every few minutes.
   */
  throttle(kind: AccessKind, key: EncodedKey | undefined, isOwn: boolean, now: number): void {
    const side = this[kind]
    if (isOwn) side.heat.throttled(key, now)
    side.throttledRequests++
  }
}

function newSide(
  unitsPerSecond: number,
  burstSeconds: number,
  savedSeconds: number,
  parameters: CapacityParameters,
  now: number,
): PartitionSide {
  return {
    bucket: new TokenBucket(unitsPerSecond, burstSeconds, now, savedSeconds),
    heat: new Heat(unitsPerSecond * parameters.heatThreshold),
    share: undefined,
    consumedUnits: 0,
    throttledRequests: 0,
  }
}
