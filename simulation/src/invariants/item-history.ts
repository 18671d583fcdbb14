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
  /** Operations that have happened in it and are not answered yet, by their numbers. */
  readonly early: readonly EarlyOperation[]
  /** All of it as one text, that another explanation has only if it says the same. */
  readonly name: string
}

interface EarlyOperation {
  readonly number: number
  /** What it will have to be answered. */
  readonly answer: string
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
    const number = this.#underWay.get(operation)
    if (number === undefined) return
    this.#underWay.delete(operation)
    if (this.#isGivenUp) return
    this.#explanations = this.#explanations.filter(({ early }) => earlyOf(early, number) === undefined)
    if (this.#explanations.length > 0) return
    throw new Violation('what was refused has not happened', `${this.item}: ${operation.text}`, this.#about)
  }

  /** From now on it cannot happen any more; whether it has is not known. */
  neverAnswered(operation: ItemOperation): void {
    const number = this.#underWay.get(operation)
    if (number === undefined || this.#isGivenUp) return
    const happened = this.#happened(number, undefined)
    this.#underWay.delete(operation)
    if (happened === undefined) return
    const not = this.#explanations.filter(({ early }) => earlyOf(early, number) === undefined)
    this.#explanations = distinct([...happened, ...not])
    this.#note(`${operation.text} was not answered`)
  }

  /** Every explanation in which the operation has happened, with this answer where one is given. */
  #happened(wanted: number, answer: string | undefined): readonly Explanation[] | undefined {
    const found: Explanation[] = []
    const left = [...this.#explanations]
    const seen = new Set(left.map(({ name }) => name))
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (seen.size > MAX_EXPLANATIONS) {
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
        const reached = explanation(state, withEarly(next.early, { number, answer: given }))
        // Most are reached in many orders: they are told apart before they are looked at.
        if (seen.has(reached.name)) continue
        seen.add(reached.name)
        left.push(reached)
      }
    }
    return distinct(found)
  }

  #note(text: string): void {
    this.#recent.push(text)
    if (this.#recent.length > 12) this.#recent.shift()
  }
}

function withEarly(early: readonly EarlyOperation[], added: EarlyOperation): readonly EarlyOperation[] {
  const behind = early.findIndex(({ number }) => number > added.number)
  return behind < 0 ? [...early, added] : early.toSpliced(behind, 0, added)
}

function without({ state, early }: Explanation, operation: EarlyOperation): Explanation {
  return explanation(
    state,
    early.filter((other) => other !== operation),
  )
}

/** Its name is made once: that was most of the search's time. */
function explanation(state: ItemState, early: readonly EarlyOperation[]): Explanation {
  let name = state
  for (const { number, answer } of early) name += `\n${number}=${answer}`
  return { state, early, name }
}

function earlyOf(early: readonly EarlyOperation[], number: number): EarlyOperation | undefined {
  for (const each of early) if (each.number === number) return each
  return undefined
}

function distinct(explanations: readonly Explanation[]): readonly Explanation[] {
  return [...new Map(explanations.map((each) => [each.name, each])).values()]
}
