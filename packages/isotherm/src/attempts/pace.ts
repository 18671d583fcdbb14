/** The rate of work in the background. */
export interface Pace {
  /** Waits until the given units may be used. */
  take(units: number, signal: AbortSignal | undefined): Promise<void>
  /** Records units that were used beyond those taken, which only an answer shows. What is taken next waits for them. */
  spent(units: number): void
  /** Records that a request was throttled. */
  throttled(): void
}
