import { Violation } from '../world/violation.js'
import {
  type Explanation,
  Explanations,
  earlyOf,
  explanation,
  withEarly,
  without,
  withoutAnswer,
} from './explanation.js'

/** What an item is: nothing, or a text that tells all of it. */
export type ItemState = string

/** What an operation makes of an item, and answers: said once more and naively, beside the service and the library. */
export interface ItemOperation {
  /** For readers: who, and what. */
  readonly text: string
  apply(state: ItemState): { readonly state: ItemState; readonly answer: string }
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
  #explanations: readonly Explanation[] = [explanation('', [])]
  /** Those under way whose answer nobody will see. */
  readonly #unanswered = new Set<number>()
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
    const number = this.#underWay.get(operation)
    if (number === undefined || this.#isGivenUp) return
    const before = this.#explanations
    const after = this.#happened(number, answer)
    this.#ended(operation, number)
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
    const number = this.#underWay.get(operation)
    if (number === undefined) return
    this.#ended(operation, number)
    if (this.#isGivenUp) return
    this.#explanations = this.#explanations.filter(({ early }) => earlyOf(early, number) === undefined)
    if (this.#explanations.length > 0) return
    throw new Violation('what was refused has not happened', `${this.item}: ${operation.text}`, this.#about)
  }

  /** Nobody will see its answer, whatever that is; it may still happen. */
  unanswered(operation: ItemOperation): void {
    const number = this.#underWay.get(operation)
    if (number === undefined || this.#isGivenUp) return
    this.#unanswered.add(number)
    this.#explanations = new Explanations(this.#explanations.map((each) => withoutAnswer(each, number))).kept
  }

  /** From now on it cannot happen any more; whether it has is not known. */
  neverAnswered(operation: ItemOperation): void {
    const number = this.#underWay.get(operation)
    if (number === undefined || this.#isGivenUp) return
    this.unanswered(operation)
    const happened = this.#happened(number, undefined)
    this.#ended(operation, number)
    if (happened === undefined) return
    const not = this.#explanations.filter(({ early }) => earlyOf(early, number) === undefined)
    this.#explanations = new Explanations([...not, ...happened]).kept
    this.#note(`${operation.text} was not answered`)
  }

  /** Every explanation in which the operation has happened, with this answer where one is given. */
  #happened(wanted: number, answer: string | undefined): readonly Explanation[] | undefined {
    const found: Explanation[] = []
    const seen = new Explanations(this.#explanations)
    // The list grows meanwhile. Those that say least come first, so that most of the others need not be looked at.
    const left = [...seen.kept]
    for (const next of left) {
      if (left.length > MAX_EXPLANATIONS) {
        this.#isGivenUp = true
        return undefined
      }
      const promised = earlyOf(next.early, wanted)
      if (promised !== undefined) {
        if (answer === undefined || promised.answer === answer) found.push(without(next, promised))
        continue
      }
      for (const [other, number] of this.#underWay) {
        if (earlyOf(next.early, number) !== undefined) continue
        const { state, answer: given } = other.apply(next.state)
        if (number === wanted) {
          // What happens after it is for the answers to come.
          if (answer === undefined || given === answer) found.push(explanation(state, next.early))
          continue
        }
        const promise = this.#unanswered.has(number) ? undefined : given
        const reached = explanation(state, withEarly(next.early, { number, answer: promise }))
        if (seen.add(reached)) left.push(reached)
      }
    }
    return new Explanations(found).kept
  }

  #ended(operation: ItemOperation, number: number): void {
    this.#underWay.delete(operation)
    this.#unanswered.delete(number)
  }

  #note(text: string): void {
    this.#recent.push(text)
    if (this.#recent.length > 12) this.#recent.shift()
  }
}
