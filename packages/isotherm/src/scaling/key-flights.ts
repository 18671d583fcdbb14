interface KeyFlightsOptions {
  /** The maximum number of keys processed concurrently. Tasks beyond it are not started. */
  readonly max: number
  /** After it aborts, failures are not reported. */
  readonly signal: AbortSignal
  readonly onFailed: (error: unknown) => void
}

/** Runs background tasks for keys, one task per key at a time. */
export class KeyFlights {
  readonly #options: KeyFlightsOptions
  readonly #keys = new Set<string>()

  constructor(options: KeyFlightsOptions) {
    this.#options = options
  }

  /** Whether no task is running for the key, and the maximum is not reached. */
  mayBegin(text: string): boolean {
    return !this.#keys.has(text) && this.#keys.size < this.#options.max
  }

  /** Starts the task if `mayBegin` allows it. Never throws. */
  begin(text: string, work: () => Promise<void>): void {
    if (!this.mayBegin(text)) return
    const { signal, onFailed } = this.#options
    this.#keys.add(text)
    work()
      .catch((error: unknown) => {
        if (!signal.aborted) onFailed(error)
      })
      .finally(() => this.#keys.delete(text))
  }
}
