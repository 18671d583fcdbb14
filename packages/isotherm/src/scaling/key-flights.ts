interface KeyFlightsOptions {
  /** Of more keys at a time nothing is begun. */
  readonly max: number
  /** After it nobody is told of failures any more. */
  readonly signal: AbortSignal
  readonly onFailed: (error: unknown) => void
}

/** Work for keys in the background, one at a time for each. */
export class KeyFlights {
  readonly #options: KeyFlightsOptions
  readonly #keys = new Set<string>()

  constructor(options: KeyFlightsOptions) {
    this.#options = options
  }

  /** Whether nothing is under way for the key, and there is room. */
  mayBegin(text: string): boolean {
    return !this.#keys.has(text) && this.#keys.size < this.#options.max
  }

  /** Never throws. */
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
