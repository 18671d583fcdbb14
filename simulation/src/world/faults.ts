/** What goes wrong in a world, and how often. Shares are of attempts; intervals are of one process, on average. */
export interface Faults {
  /** Milliseconds that a request, or its answer, is usually on its way. */
  readonly delayMilliseconds: number
  /** Share of attempts that never arrive. */
  readonly lostRequests: number
  /** Share of attempts whose answer never arrives, though they were carried out. */
  readonly lostReplies: number
  /** Share of attempts that arrive as late as may be. */
  readonly lateRequests: number
  /** Share of attempts that the service answers with 500: half of them it has carried out all the same. */
  readonly serverErrors: number
  /** Share of writes that collide with somebody else's transaction. */
  readonly conflicts: number
  /** Share of reads that their partition refuses. */
  readonly throttledReads: number
  /** Milliseconds between two pauses of a process; infinite for none. */
  readonly pauseIntervalMilliseconds: number
  readonly pauseMilliseconds: number
  /** Milliseconds between two crashes of a process. */
  readonly crashIntervalMilliseconds: number
  /** Milliseconds between two jumps of a process's clock, forward. */
  readonly jumpIntervalMilliseconds: number
  readonly jumpMilliseconds: number
  /** How much faster or slower than the others a process's clock may run: 0.001 is a second in 17 minutes. */
  readonly drift: number
  /** How far the calendars of two processes may be apart. */
  readonly calendarMilliseconds: number
  /** How long after it was sent a request may still be carried out. */
  readonly latestMilliseconds: number
  /** Late requests arrive up to so many times later than they may; 0 for none that does. */
  readonly beyondBound: number
  /** Share of reads of a shard map whose answer takes long, and how long. */
  readonly slowShardMapReads: number
  readonly slowMilliseconds: number
  /** Milliseconds from one outage of the shard map to the next, as one process sees them; infinite for none. */
  readonly outageIntervalMilliseconds: number
  readonly outageMilliseconds: number
  /** How long a client waits for an answer. */
  readonly timeoutMilliseconds: number
  /** How long the service may take from the first item of a batch to the last one; 0 for all of them at one moment. */
  readonly batchSpreadMilliseconds: number
}

/** Nothing goes wrong, and nothing takes long. */
export const NO_FAULTS: Faults = {
  delayMilliseconds: 2,
  lostRequests: 0,
  lostReplies: 0,
  lateRequests: 0,
  serverErrors: 0,
  conflicts: 0,
  throttledReads: 0,
  pauseIntervalMilliseconds: Number.POSITIVE_INFINITY,
  pauseMilliseconds: 0,
  crashIntervalMilliseconds: Number.POSITIVE_INFINITY,
  jumpIntervalMilliseconds: Number.POSITIVE_INFINITY,
  jumpMilliseconds: 0,
  drift: 0,
  calendarMilliseconds: 0,
  latestMilliseconds: 100,
  beyondBound: 0,
  slowShardMapReads: 0,
  slowMilliseconds: 0,
  outageIntervalMilliseconds: Number.POSITIVE_INFINITY,
  outageMilliseconds: 0,
  timeoutMilliseconds: 1_000,
  batchSpreadMilliseconds: 0,
}

/** How often something went wrong. */
export type FaultCounts = Record<FaultKind, number>

export type FaultKind =
  | 'lost requests'
  | 'lost replies'
  | 'late requests'
  | 'server errors'
  | 'conflicts'
  | 'pauses'
  | 'crashes'
  | 'clock jumps'
  | 'throttles'

export function noFaultsYet(): FaultCounts {
  return {
    'lost requests': 0,
    'lost replies': 0,
    'late requests': 0,
    'server errors': 0,
    conflicts: 0,
    pauses: 0,
    crashes: 0,
    'clock jumps': 0,
    throttles: 0,
  }
}
