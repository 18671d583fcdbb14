import { Violation } from '../world/violation.js'

/** What an item is: nothing, or a text that tells all of it. */
export type ItemState = string

/** What an operation makes of an item, and answers: said once more and naively, beside the service and the library. */
export interface ItemOperation {
  /** For readers: who, and what. */
  readonly text: string
  apply(state: ItemState): { readonly state: ItemState; readonly answer: string }
}

/** A way in which everything that was answered so far can have happened, one operation after the other. */
interface Explanation {
  readonly state: ItemState
  /** Operations that have happened in it and are not answered yet, with the answer that they will have to give. */
  readonly early: ReadonlyMap<ItemOperation, string>
}

/** Above so many explanations the search is given up: so much happens to the item at a time that nearly anything explains it. */
const MAX_EXPLANATIONS = 3_000

/**
 * What happened to one item, checked while it happens: there must be an order of the operations, one after the other, each
 * between its call and its answer, that explains all answers (linearizability).
 *
 * Kept are all explanations of what was answered so far; each answer leaves those that it agrees with, after operations
 * that are under way were put before it in every order. That is Wing and Gong's search, an answer at a time, so that
 * it needs no memory of the past.
 * Source: Wing, Gong: Testing and Verifying Concurrent Objects (1993); Lowe: Testing for linearizability (2017)
 */
export class ItemHistory {
  readonly item: string
  readonly #about: readonly string[]
  /** With a number each, since a process may ask the same thing twice at a time. */
  readonly #underWay = new Map<ItemOperation, number>()
  #called = 0
  readonly #recent: string[] = []
  #explanations: readonly Explanation[] = [{ state: '', early: new Map() }]
  #isGivenUp = false

  /** @param about the item's key and sort key, as a trace shows them */
  constructor(about: readonly string[]) {
    this.#about = about
    this.item = about.join(' ')
  }

  /** Whether so much happened at a time that it could not be checked. */
  get isGivenUp(): boolean {
    return this.#isGivenUp
  }

  called(operation: ItemOperation): void {
    this.#underWay.set(operation, this.#called++)
  }

  /** @throws Violation */
  answered(operation: ItemOperation, answer: string): void {
    this.#note(`${operation.text} -> ${answer}`)
    if (!this.#underWay.has(operation) || this.#isGivenUp) return
    const before = this.#explanations
    const after = this.#happened(operation, answer)
    this.#underWay.delete(operation)
    if (after === undefined) return
    this.#explanations = after
    if (after.length > 0) return
    const states = before.map(({ state }) => state || 'nothing')
    throw new Violation(
      'a single item behaves as if one operation came after the other',
      `${this.item}: ${operation.text} was answered ${answer}, and could have been only where the item was ${[...new Set(states)].join(' or ')}; before: ${this.#recent.join('; ')}`,
      this.#about,
    )
  }

  /** It was refused: it has not happened and never will. */
  refused(operation: ItemOperation): void {
    if (!this.#underWay.delete(operation) || this.#isGivenUp) return
    this.#explanations = this.#explanations.filter(({ early }) => !early.has(operation))
    if (this.#explanations.length > 0) return
    throw new Violation('what was refused has not happened', `${this.item}: ${operation.text}`, this.#about)
  }

  /** From now on it cannot happen any more; whether it has is not known. */
  neverAnswered(operation: ItemOperation): void {
    if (!this.#underWay.has(operation) || this.#isGivenUp) return
    const happened = this.#happened(operation, undefined)
    this.#underWay.delete(operation)
    if (happened === undefined) return
    const not = this.#explanations.filter(({ early }) => !early.has(operation))
    this.#explanations = this.#distinct([...happened, ...not])
    this.#note(`${operation.text} was not answered`)
  }

  /** Every explanation in which the operation has happened, with this answer where one is given. */
  #happened(operation: ItemOperation, answer: string | undefined): readonly Explanation[] | undefined {
    const found: Explanation[] = []
    const seen = new Set<string>()
    const left = [...this.#explanations]
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const name = this.#nameOf(next)
      if (seen.has(name)) continue
      seen.add(name)
      if (seen.size > MAX_EXPLANATIONS) {
        this.#isGivenUp = true
        return undefined
      }
      const promised = next.early.get(operation)
      if (promised !== undefined) {
        if (answer === undefined || promised === answer) found.push(without(next, operation))
        continue
      }
      for (const other of this.#underWay.keys()) if (!next.early.has(other)) left.push(after(next, other))
    }
    return this.#distinct(found)
  }

  #distinct(explanations: readonly Explanation[]): readonly Explanation[] {
    return [...new Map(explanations.map((each) => [this.#nameOf(each), each])).values()]
  }

  #nameOf({ state, early }: Explanation): string {
    const parts = Array.from(early, ([operation, answer]) => `${this.#underWay.get(operation)}=${answer}`)
    return `${state}\n${parts.sort().join('\n')}`
  }

  #note(text: string): void {
    this.#recent.push(text)
    if (this.#recent.length > 12) this.#recent.shift()
  }
}

function after({ state, early }: Explanation, operation: ItemOperation): Explanation {
  const { state: next, answer } = operation.apply(state)
  return { state: next, early: new Map(early).set(operation, answer) }
}

function without({ state, early }: Explanation, operation: ItemOperation): Explanation {
  const left = new Map(early)
  left.delete(operation)
  return { state, early: left }
}
