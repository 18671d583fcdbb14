import type { KeptCapacity } from '../capacity/keyspace-capacity.js'
import type { RequestAccount } from '../capacity/request-account.js'
import type { EngineSettings } from '../engine/engine-settings.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'

/** The format version that is written. Files of a newer version are rejected. */
export const TRACE_VERSION = 2

/** A request to send before the first one of a trace. It creates a table that existed when the recording began. */
export interface SetupRequest {
  readonly region: string
  readonly operation: 'CreateTable' | 'UpdateTimeToLive'
  readonly request: object
}

/** The partitions of a table or global index at the start of the recording. */
export interface SetupPartitions {
  readonly region: string
  readonly table: string
  readonly index?: string
  /** The first key of each partition, in order. */
  readonly borders: readonly EncodedKey[]
  /** The rest of its capacity state. */
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
  /** Missing in traces of version 1, like the next member. */
  readonly partitions?: readonly SetupPartitions[]
  /** The settings of the engine. */
  readonly settings?: EngineSettings
  /** How many items existed when the recording began. The file does not contain them. */
  readonly items: number
}

/** Any other line: a request, written when it was answered. */
export interface TraceRequest extends RequestAccount {
  /** Its position in the order of arrival, from 0. */
  readonly number: number
  /** Milliseconds since the recording began, to the microsecond. */
  readonly at: number
  readonly region: string
  readonly operation: string
  readonly request: object
  /** `ok`, or the name of the error in the response. */
  readonly outcome: string
}
