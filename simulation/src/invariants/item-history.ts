import { Violation } from '../world/violation.js'
import { type Call, type Fate, ItemSearch } from './item-search.js'

/** What an item is: nothing, or a text that tells all of it. */
export type ItemState = string

/** What an operation makes of an item, and answers: said once more and naively, beside the service and the library. */
export interface ItemOperation {
  /** For readers: who, and what. */
  readonly text: string
  apply(state: ItemState): { readonly state: ItemState; readonly answer: string }
  /** What the item was after it, whatever it was before, where its response shows it. */
  leaves?(answer: string): ItemState | undefined
}

/** What histories of single items came to. */
export interface HistoryCounts {
  readonly followed: number
  /** Of those, the ones of which a part could not be checked. */
  readonly givenUp: number
  /** Operations on them, and those that were not checked. */
  readonly answered: number
  readonly unchecked: number
}

/** A call, or what became of it. */
interface Step {
  readonly call: Call
  readonly isEnd: boolean
}

/**
 * What happened to one item: there must be an order of the operations, one after the other, each between its call and its
 * end, that explains all answers (linearizability).
 *
 * It is checked as soon as it is known what became of everything that was under way at a time: an answer that is known is
 * one that need not be guessed, and where many ask for an item at a time there are too many guesses to follow.
 */
export class ItemHistory {
  readonly item: string
  readonly #about: readonly string[]
  readonly #search = new ItemSearch()
  readonly #calls = new Map<ItemOperation, Call>()
  /** What was not looked at yet, in its order. */
  readonly #steps: Step[] = []
  readonly #recent: string[] = []
  #called = 0
  #answered = 0
  #checked = 0

  /** @param about the item's key and sort key, as a trace shows them */
  constructor(about: readonly string[]) {
    this.#about = about
    this.item = about.join(' ')
  }

  get counts(): HistoryCounts {
    const unchecked = this.#answered - this.#checked
    return { followed: 1, givenUp: this.isGivenUp ? 1 : 0, answered: this.#answered, unchecked }
  }

  /** Whether so much happened at a time that a part of it could not be checked. */
  get isGivenUp(): boolean {
    return this.#search.wasGivenUp
  }

  called(operation: ItemOperation): void {
    const call: Call = { operation, number: this.#called++, fate: undefined }
    this.#calls.set(operation, call)
    this.#steps.push({ call, isEnd: false })
  }

  /** @throws Violation, of this or of something before */
  answered(operation: ItemOperation, answer: string): void {
    this.#answered += 1
    this.#ended(operation, { answer })
  }

  /** It was refused: it has not happened and never will. @throws Violation */
  refused(operation: ItemOperation): void {
    this.#ended(operation, 'refused')
  }

  /** Nobody will see its answer, whatever that is; it may still happen. @throws Violation */
  unanswered(operation: ItemOperation): void {
    const call = this.#calls.get(operation)
    if (call === undefined) return
    call.fate ??= 'unanswered'
    this.#goOn()
  }

  /** From now on it cannot happen any more; whether it has is not known. @throws Violation */
  neverAnswered(operation: ItemOperation): void {
    this.#ended(operation, 'unanswered')
  }

  #ended(operation: ItemOperation, fate: Fate): void {
    const call = this.#calls.get(operation)
    if (call === undefined) return
    this.#calls.delete(operation)
    call.fate = fate
    this.#steps.push({ call, isEnd: true })
    this.#goOn()
  }

  #goOn(): void {
    for (;;) {
      const [step] = this.#steps
      if (step === undefined || (step.isEnd && !this.#search.knowsFates)) return
      this.#steps.shift()
      if (step.isEnd) this.#check(step.call)
      else this.#search.called(step.call)
    }
  }

  #check(call: Call): void {
    const { operation, fate } = call
    const became = typeof fate === 'object' ? `-> ${fate.answer}` : `was ${fate}`
    this.#recent.push(`${operation.text} ${became}`)
    if (this.#recent.length > 12) this.#recent.shift()
    const states = this.#search.states
    const outcome = this.#search.ended(call)
    if (outcome === 'explained' && typeof fate === 'object') this.#checked += 1
    if (outcome !== 'unexplained') return
    const isOfRefused = this.#search.isExplainedByRefused(call)
    throw new Violation(
      isOfRefused
        ? 'what was refused has not happened'
        : 'a single item behaves as if one operation came after the other',
      `${this.item}: ${operation.text} ${became}, and could have been only where the item was ${states.map((state) => state || 'nothing').join(' or ')}; before: ${this.#recent.join('; ')}`,
      this.#about,
    )
  }
}

/** Of several together. */
export function historyCounts(histories: Iterable<Pick<ItemHistory, 'counts'>>): HistoryCounts {
  const sum = { followed: 0, givenUp: 0, answered: 0, unchecked: 0 }
  for (const { counts } of histories) {
    sum.followed += counts.followed
    sum.givenUp += counts.givenUp
    sum.answered += counts.answered
    sum.unchecked += counts.unchecked
  }
  return sum
}
