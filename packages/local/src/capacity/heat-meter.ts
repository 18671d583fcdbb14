import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { AccessKind } from '../partition/partition.js'
import type { ThrottlingReason } from './throttled.js'

/** Records which partitions and keys of one keyspace have traffic. */
export interface HeatMeter {
  /** @param key where the load lies. Of a scan, it may be a border that belongs to no item. */
  consumed(kind: AccessKind, partition: number, key: EncodedKey, units: number, now: number): void
  throttled(partition: number, key: EncodedKey, reason: ThrottlingReason, now: number): void
}
