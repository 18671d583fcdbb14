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
  consumedUnits: number
  throttledRequests: number
}

/** A range of a keyspace with a capacity of its own. It begins at `from`, included, and ends where the next begins. */
export class Partition {
  readonly id: number
  readonly from: EncodedKey
  readonly read: PartitionSide
  readonly write: PartitionSide

  constructor(id: number, from: EncodedKey, parameters: CapacityParameters, now: number) {
    this.id = id
    this.from = from
    this.read = newSide(parameters.partitionReadUnitsPerSecond, parameters, now)
    this.write = newSide(parameters.partitionWriteUnitsPerSecond, parameters, now)
  }

  take(kind: AccessKind, key: EncodedKey, units: number, now: number): void {
    const side = this[kind]
    side.bucket.take(units)
    side.heat.consumed(key, units, now)
    side.consumedUnits += units
  }

  throttle(kind: AccessKind, key: EncodedKey, now: number): void {
    const side = this[kind]
    side.heat.throttled(key, now)
    side.throttledRequests++
  }
}

function newSide(unitsPerSecond: number, parameters: CapacityParameters, now: number): PartitionSide {
  return {
    bucket: new TokenBucket(unitsPerSecond, parameters.partitionBurstSeconds, now),
    heat: new Heat(unitsPerSecond * parameters.heatThreshold),
    consumedUnits: 0,
    throttledRequests: 0,
  }
}
