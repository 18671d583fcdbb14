/**
 * The only source of time. Nothing else reads a clock or sets a timer, so the same code runs on real time, on fast time
 * and on virtual time.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. May have a fraction. Never goes back. */
  now(): number
  /** Resolves after `milliseconds` of this clock's time; rejects with the signal's reason if it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal, options?: SleepOptions): Promise<void>
}

/** Options of `sleep`. */
export interface SleepOptions {
  /** Whether a process may end while it sleeps. Default `false`: it ends only when nothing sleeps any more. */
  readonly mayEndProcess?: boolean | undefined
}
