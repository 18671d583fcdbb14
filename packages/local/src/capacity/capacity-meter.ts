import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { AccessKind } from '../partition/partition.js'
import type { CapacitySettings } from './capacity-settings.js'
import type { ThrottlingReason } from './throttled.js'

/** Records the metrics of one keyspace. Every request reports what it consumed and where it was throttled. */
export interface CapacityMeter {
  consumed(kind: AccessKind, key: EncodedKey, units: number, now: number): void
  throttled(kind: AccessKind, key: EncodedKey, reason: ThrottlingReason, now: number): void
  /** Called when the capacity settings of the keyspace change. */
  changed(settings: CapacitySettings, now: number): void
}
