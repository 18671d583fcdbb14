import type { MeasuredOperation } from '../measured-operations.js'
import type { Measurement } from '../measurement.js'

/** A server that stores the items, or does less than all of them could, or the engine in the process that calls it. */
export type ContestantKind = 'server' | 'limit' | 'in process'

/** One of those that are compared. */
export interface Contestant {
  readonly name: string
  readonly kind: ContestantKind
  /** Starts it with all data, or says why it is missing and how to get it. */
  start(): Promise<RunningContestant | Missing>
}

/** A contestant that cannot be started here. */
export interface Missing {
  readonly missing: string
}

/** An operation that the contestant does not have, and its answer. */
export interface Refusal {
  readonly refused: string
}

/** A contestant in its own process, with all data. */
export interface RunningContestant {
  /** Its version, and how it was started. */
  readonly about: string
  /** The memory of its process with all data, in megabytes. */
  readonly megabytes: number | undefined
  /** @param connections over which requests are sent, or calls in flight in its process */
  measure(operation: MeasuredOperation, connections: number, seconds: number): Promise<Measurement | Refusal>
  stop(): void
}
