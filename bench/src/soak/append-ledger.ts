/** One append. `at` is unique in the whole run. */
export interface Append {
  readonly file: string
  readonly at: number
}

/** The appends that were acknowledged, beside those that readers, the stream and time to live have seen. */
export class AppendLedger {
  readonly #acknowledged = new Set<number>()
  /** Appends that a writer sent again after an error. With a random suffix these may be stored twice. */
  readonly #repeated = new Set<number>()
  readonly #inStream = new Set<number>()
  readonly #expired = new Set<number>()
  #recent: Append[] = []

  acknowledged(append: Append, errors: number): void {
    this.#acknowledged.add(append.at)
    if (errors > 0) this.#repeated.add(append.at)
    this.#recent.push(append)
  }

  inserted(at: number): void {
    this.#inStream.add(at)
  }

  expired(at: number): void {
    this.#expired.add(at)
  }

  /** Those that are acknowledged by now, from one moment on. Earlier ones are not asked for again. */
  recentOf(file: string, from: number): readonly Append[] {
    this.#recent = this.#recent.filter(({ at }) => at >= from)
    return this.#recent.filter((append) => append.file === file)
  }

  mayBeStoredTwice(at: number): boolean {
    // An append in flight may have been repeated, which is only known when it is acknowledged.
    return this.#repeated.has(at) || !this.#acknowledged.has(at)
  }

  get totals() {
    return {
      acknowledged: this.#acknowledged.size,
      repeated: this.#repeated.size,
      notInStream: missing(this.#acknowledged, this.#inStream),
      notExpired: missing(this.#acknowledged, this.#expired),
    }
  }
}

function missing(expected: ReadonlySet<number>, seen: ReadonlySet<number>): number {
  let count = 0
  for (const at of expected) if (!seen.has(at)) count++
  return count
}
