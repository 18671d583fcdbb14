import { Violation } from '../world/violation.js'

/** What goes wrong in a run, as far as it takes answers away. */
export interface Hindrances {
  /** Whether this error of such an operation may come of it. */
  mayCome(error: string, operation: string): boolean
  /** Share of the calls of such an operation that end without an answer, at most; `undefined` where nobody can say. */
  mostUnanswered(operation: string): number | undefined
}

/** What applications got from one operation. */
interface Told {
  answered: number
  /** Errors that say something: a condition did not hold, the table is too small, somebody else was there. */
  refused: number
  unanswered: number
}

/** With fewer calls a share says little. */
const MIN_CALLS = 30

/** Errors after which an application knows only that it has to ask again. */
const UNANSWERED = new Set(['TimeoutError', 'InternalServerError', 'shard-map.slow', 'query.outdated'])

/** Counts the answers that applications get, and compares them with the faults: a library that refuses everything breaks no other rule. */
export class Answers {
  readonly #hindrances: Hindrances
  readonly #operations = new Map<string, Told>()

  constructor(hindrances: Hindrances) {
    this.#hindrances = hindrances
  }

  answered(operation: string): void {
    this.#toldBy(operation).answered += 1
  }

  /** @throws Violation where nothing in the run brings such an error about */
  failed(operation: string, error: unknown): void {
    const name = nameOf(error)
    this.#toldBy(operation)[UNANSWERED.has(name) ? 'unanswered' : 'refused'] += 1
    if (this.#hindrances.mayCome(name, operation)) return
    const seen = `${operation} ends with ${name}, and nothing in this run brings it about`
    throw new Violation('an error has a cause', seen)
  }

  /**
   * Of all until now.
   * @throws Violation
   */
  check(): void {
    for (const [operation, { answered, refused, unanswered }] of this.#operations) {
      const calls = answered + refused + unanswered
      const most = this.#hindrances.mostUnanswered(operation)
      if (calls < MIN_CALLS || most === undefined || unanswered <= most * calls) continue
      const seen = `${unanswered} of ${calls} calls of ${operation} were not, and ${Math.floor(most * calls)} may be`
      throw new Violation('applications are answered', seen)
    }
  }

  #toldBy(operation: string): Told {
    let told = this.#operations.get(operation)
    if (told === undefined) {
      told = { answered: 0, refused: 0, unanswered: 0 }
      this.#operations.set(operation, told)
    }
    return told
  }
}

/** Errors of the library have a code. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
