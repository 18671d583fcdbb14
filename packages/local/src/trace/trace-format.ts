import type { KeptCapacity } from '../capacity/keyspace-capacity.js'
import type { RequestAccount } from '../capacity/request-account.js'
import type { EngineSettings } from '../engine/engine-settings.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'

/** The version of the format that is written. A file of a newer one is refused. */
export const TRACE_VERSION = 2

/** A request to make before the first one of a trace: a table that was there when the recording began. */
export interface SetupRequest {
  readonly region: string
  readonly operation: 'CreateTable' | 'UpdateTimeToLive'
  readonly request: object
}

/** The partitions that a table or a global index had when the recording began. */
export interface SetupPartitions {
  readonly region: string
  readonly table: string
  readonly index?: string
  /** Where each of them begins, in order. */
  readonly borders: readonly EncodedKey[]
  /** What else was known of its capacity. */
  readonly capacity: KeptCapacity
}

/** The first line of a trace. */
export interface TraceHeader {
  readonly isotherm: 'trace'
  readonly version: number
  /** When the recording began, in milliseconds since the epoch, on the engine's clock. */
  readonly startedAt: number
  readonly model: 'adaptive' | 'classic'
  /** Whether limits were enforced. */
  readonly throttle: boolean
  readonly setup: readonly SetupRequest[]
  /** Nothing in traces of version 1, as the next one. */
  readonly partitions?: readonly SetupPartitions[]
  /** By what the engine went. */
  readonly settings?: EngineSettings
  /** Items that were in the tables when the recording began. They are not in the file. */
  readonly items: number
}

/** Any other line: a request, written when it was answered. */
export interface TraceRequest extends RequestAccount {
  /** Its place in the order in which requests came, from 0. */
  readonly number: number
  /** Milliseconds since the recording began, to the microsecond. */
  readonly at: number
  readonly region: string
  readonly operation: string
  readonly request: object
  /** `ok`, or the name of the error it was answered with. */
  readonly outcome: string
}
