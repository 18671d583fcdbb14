/** As long as the library's own windows. */
const SECONDS = 5

/** The items that one process has put under one key in the last seconds, each counted once, however often it was sent. */
export class RecentPuts {
  readonly seconds = SECONDS
  readonly #offered = new Array<number>(SECONDS).fill(0)
  readonly #refused = new Array<number>(SECONDS).fill(0)
  readonly #sent = new Set<string>()
  readonly #refusedOnce = new Set<string>()
  #at = 0

  /** Items that were sent for the first time. */
  get offered(): number {
    return sum(this.#offered)
  }

  /** Items that were refused for the first time. */
  get refused(): number {
    return sum(this.#refused)
  }

  sent(item: string, isRefused: boolean): void {
    if (isNew(this.#sent, item)) add(this.#offered, this.#at)
    if (isRefused && isNew(this.#refusedOnce, item)) add(this.#refused, this.#at)
  }

  nextSecond(): void {
    this.#at = (this.#at + 1) % SECONDS
    this.#offered[this.#at] = 0
    this.#refused[this.#at] = 0
  }
}

function isNew(known: Set<string>, item: string): boolean {
  if (known.has(item)) return false
  known.add(item)
  return true
}

function add(counts: number[], at: number): void {
  counts[at] = (counts[at] ?? 0) + 1
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
