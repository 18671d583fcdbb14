/** The rate of work in the background. */
export interface Pace {
  /** Waits until the given units may be used. */
  take(units: number, signal: AbortSignal | undefined): Promise<void>
  /** Records that a request was throttled. */
  throttled(): void
}
