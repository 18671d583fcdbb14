import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { AccessKind } from '../partition/partition.js'
import type { CapacitySettings } from './keyspace-capacity.js'
import type { ThrottlingReason } from './throttled.js'

/** Who keeps the figures of one keyspace: told of everything that is taken and refused, with every request. */
export interface CapacityMeter {
  consumed(kind: AccessKind, key: EncodedKey, units: number, now: number): void
  throttled(kind: AccessKind, key: EncodedKey, reason: ThrottlingReason, now: number): void
  /** What the keyspace may do from now on. */
  changed(settings: CapacitySettings, now: number): void
}
