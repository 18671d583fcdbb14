/**
 * Why a request of a fleet failed:
 * - `throttled`: its partition is hot, and the SDK's retries are used up.
 * - `lost`: the network lost the request or the answer. The SDK would repeat it, but throttled requests have used up the retries
 *   that its client has for all of them.
 * - `ended`: its process was ended.
 */
type Failure = 'throttled' | 'lost' | 'ended'

/** What the members of a fleet said of their writes, each by its number. */
export class WriteOutcomes {
  readonly acknowledged = new Set<number>()
  readonly throttled = new Set<number>()
  readonly lost = new Set<number>()
  readonly ended = new Set<number>()
  /** Failures of reads and writes for which nothing in the test is a reason. */
  readonly unexplained: unknown[] = []
  readonly #begunAt: number[] = []

  /** @param at its number: writes are numbered from 0 */
  begun(at: number, milliseconds: number): void {
    this.#begunAt[at] = milliseconds
  }

  failed(at: number, error: unknown): void {
    const failure = failureOf(error)
    if (failure !== undefined) this[failure].add(at)
    else this.unexplained.push(error)
  }

  readFailed(error: unknown): void {
    if (failureOf(error) === undefined) this.unexplained.push(error)
  }

  /** The writes that began at a time or later. */
  since(milliseconds: number): readonly number[] {
    return [...this.#begunAt.keys()].filter((at) => (this.#begunAt[at] ?? 0) >= milliseconds)
  }
}

/** A proxy answers with the service's names, and with the text of what happened on the way up. */
function failureOf(error: unknown): Failure | undefined {
  const { name, message } = error as Error
  if (/(^|#)ThrottlingException$/.test(name)) return 'throttled'
  if (message.includes('was not answered in time')) return 'lost'
  return /The process has ended|Request aborted/.test(message) ? 'ended' : undefined
}
