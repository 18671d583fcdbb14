import { type Explanation, Explanations, earlyOf, explanation, withEarly, without } from './explanation.js'
import type { ItemOperation, ItemState } from './item-history.js'

/** An operation from its call to its end. */
export interface Call {
  readonly operation: ItemOperation
  /** A process may ask the same thing twice at a time. */
  readonly number: number
  /** What became of it, in the end; `undefined` while nobody knows. */
  fate: Fate | undefined
}

/** Of what was not answered nobody knows whether it has happened; what was refused has not, and never will. */
export type Fate = { readonly answer: string } | 'refused' | 'unanswered'

/** Above so many explanations the search is given up: so much happens to the item at a time that nearly anything explains it. */
const MAX_EXPLANATIONS = 1_000

/** The search begins again where so many others at most may have come before or after an operation that tells the state. */
const MAX_AROUND = 9

/**
 * All ways in which what was answered so far can have happened, one operation after the other. Each end of a call leaves those
 * that it agrees with, after operations that are under way were put before it in every order. That is Wing and Gong's
 * search, an answer at a time, so that it needs no memory of the past; the calls that are under way have their fates
 * already, which leaves few orders of those that there are.
 * Source: Wing, Gong: Testing and Verifying Concurrent Objects (1993); Lowe: Testing for linearizability (2017)
 */
export class ItemSearch {
  readonly #underWay = new Set<Call>()
  /** Calls that have ended when each of those under way was made, and the last of them. */
  readonly #endsBefore = new Map<Call, number>()
  #ends = 0
  readonly #ended: Call[] = []
  /** `undefined` while it is given up. */
  #explanations: readonly Explanation[] | undefined = [explanation('', [])]
  #wasGivenUp = false

  /** Whether so much happened at a time that a part of it could not be checked. */
  get wasGivenUp(): boolean {
    return this.#wasGivenUp
  }

  /** Whether it is known what became of everything that may have happened by now. */
  get knowsFates(): boolean {
    for (const { fate } of this.#underWay) if (fate === undefined) return false
    return true
  }

  /** What the item may be, in so many words. */
  get states(): readonly ItemState[] {
    return [...new Set(this.#explanations?.map(({ state }) => state))]
  }

  called(call: Call): void {
    this.#underWay.add(call)
    this.#endsBefore.set(call, this.#ends)
  }

  /** @returns what its end says: whether anything explains it, or that this could not be checked */
  ended(call: Call): 'explained' | 'unexplained' | 'unchecked' {
    const before = this.#explanations
    if (before !== undefined) this.#explanations = this.#after(before, call)
    const outcome = this.#explanations === undefined ? 'unchecked' : 'explained'
    if (this.#explanations?.length === 0) {
      this.#explanations = before
      return 'unexplained'
    }
    this.#underWay.delete(call)
    if (outcome === 'unchecked') {
      this.#wasGivenUp = true
      this.#beginAgain(call)
    }
    this.#endsBefore.delete(call)
    this.#ends += 1
    this.#ended.push(call)
    if (this.#ended.length > MAX_AROUND) this.#ended.shift()
    return outcome
  }

  /** Whether something that was refused explains the end of a call. */
  isExplainedByRefused(call: Call): boolean {
    return (this.#happened(this.#explanations ?? [], call, () => true)?.length ?? 0) > 0
  }

  /** What is left of explanations when a call has ended; `undefined` where there are too many. */
  #after(explanations: readonly Explanation[], call: Call): readonly Explanation[] | undefined {
    if (call.fate === 'refused') return explanations
    const happened = this.#happened(explanations, call, ({ fate }) => fate !== 'refused')
    if (happened === undefined || call.fate !== 'unanswered') return happened
    const not = explanations.filter(({ early }) => earlyOf(early, call.number) === undefined)
    return new Explanations([...not, ...happened]).kept
  }

  /** Every explanation in which a call has happened as it was answered. */
  #happened(
    explanations: readonly Explanation[],
    wanted: Call,
    mayHappen: (call: Call) => boolean,
  ): readonly Explanation[] | undefined {
    const found: Explanation[] = []
    const seen = new Explanations(explanations)
    // The list grows meanwhile. Those that say least come first, so that most of the others need not be looked at.
    const left = [...seen.kept]
    for (const next of left) {
      if (left.length > MAX_EXPLANATIONS) return undefined
      const promised = earlyOf(next.early, wanted.number)
      if (promised !== undefined) {
        found.push(without(next, promised))
        continue
      }
      for (const call of this.#underWay) {
        if (!mayHappen(call) || earlyOf(next.early, call.number) !== undefined) continue
        const { state, answer } = call.operation.apply(next.state)
        const expected = answerTo(call)
        if (expected !== undefined && answer !== expected) continue
        // What happens after the wanted one is for the ends to come.
        if (call === wanted) found.push(explanation(state, next.early))
        else {
          const early = { number: call.number, isAnswered: expected !== undefined }
          const reached = explanation(state, withEarly(next.early, early))
          if (seen.add(reached)) left.push(reached)
        }
      }
    }
    return new Explanations(found).kept
  }

  /**
   * From an operation that tells what the item was when it happened. Each of those that were under way meanwhile came before
   * it, and then it does not matter how, or after it.
   */
  #beginAgain(from: Call): void {
    const answer = answerTo(from)
    const state = answer === undefined ? undefined : from.operation.leaves?.(answer)
    const ends = this.#ends - (this.#endsBefore.get(from) ?? 0)
    if (state === undefined || ends > this.#ended.length) return
    const ended = ends === 0 ? [] : this.#ended.slice(-ends)
    // One that was not answered may as well not have happened yet, or never.
    const around = [...ended, ...this.#underWay].filter((call) => answerTo(call) !== undefined)
    if (around.length > MAX_AROUND) return
    let explanations: readonly Explanation[] | undefined = subsetsOf(around).map((calls) =>
      explanation(
        state,
        calls.map(({ number }) => ({ number, isAnswered: true })),
      ),
    )
    for (const call of ended) this.#underWay.add(call)
    for (const call of ended) {
      if (explanations !== undefined) explanations = this.#after(explanations, call)
      this.#underWay.delete(call)
    }
    this.#explanations = explanations
  }
}

function answerTo({ fate }: Call): string | undefined {
  return typeof fate === 'object' ? fate.answer : undefined
}

/** In the order of their numbers each, as explanations have them. */
function subsetsOf(calls: readonly Call[]): readonly (readonly Call[])[] {
  const subsets: (readonly Call[])[] = [[]]
  for (const call of calls.toSorted((a, b) => a.number - b.number)) {
    subsets.push(...subsets.map((subset) => [...subset, call]))
  }
  return subsets
}
