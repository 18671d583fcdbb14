/**
 * Runs work that many callers need at the same time: one run at a time, and one for all that wait.
 *
 * A caller never joins the run that is under way, which may have read something before the caller's reason to ask. So each run begins after
 * the calls that share it.
 */
export class NextRun<Result> {
  #current: Promise<unknown> | undefined
  #next: Promise<Result> | undefined

  /** @param start that of the first caller is used for all that share the run */
  join(start: () => Promise<Result>): Promise<Result> {
    if (this.#next !== undefined) return this.#next
    if (this.#current === undefined) return this.#begin(start)
    const begin = () => {
      this.#next = undefined
      return this.#begin(start)
    }
    // The failure of a run is one of its own callers alone.
    this.#next = this.#current.then(begin, begin)
    return this.#next
  }

  #begin(start: () => Promise<Result>): Promise<Result> {
    const run = start().finally(() => {
      if (this.#current === run) this.#current = undefined
    })
    this.#current = run
    return run
  }
}
