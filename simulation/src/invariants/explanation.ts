import type { ItemState } from './item-history.js'

/** A way in which everything that was answered so far can have happened, one operation after the other. */
export interface Explanation {
  readonly state: ItemState
  /** Operations that have happened in it and have not ended, by their numbers. */
  readonly early: readonly EarlyOperation[]
  /** The state, and the operations that have to have been in it: one text, so that it is made once. */
  readonly promiseText: string
}

export interface EarlyOperation {
  readonly number: number
  /** Whether it was answered as it happened here: one that was not need not have happened. */
  readonly isAnswered: boolean
}

export function explanation(state: ItemState, early: readonly EarlyOperation[]): Explanation {
  let promiseText = state
  for (const { number, isAnswered } of early) if (isAnswered) promiseText += `\n${number}`
  return { state, early, promiseText }
}

export function withEarly(
  early: readonly EarlyOperation[],
  added: EarlyOperation,
): readonly EarlyOperation[] {
  const behind = early.findIndex(({ number }) => number > added.number)
  return behind < 0 ? [...early, added] : early.toSpliced(behind, 0, added)
}

export function without({ state, early }: Explanation, operation: EarlyOperation): Explanation {
  return explanation(
    state,
    early.filter((other) => other !== operation),
  )
}

export function earlyOf(early: readonly EarlyOperation[], number: number): EarlyOperation | undefined {
  for (const each of early) if (each.number === number) return each
  return undefined
}

/**
 * Explanations, without those that explain nothing that another one does not. One that makes the same promises about the same
 * state, and needs fewer operations whose answer nobody sees, may still let the others happen, or never: so whatever comes,
 * it explains no less.
 */
export class Explanations {
  readonly #byPromise = new Map<string, Explanation[]>()

  constructor(explanations: readonly Explanation[]) {
    for (const each of explanations) this.add(each)
  }

  get kept(): readonly Explanation[] {
    return [...this.#byPromise.values()].flat()
  }

  /** @returns whether it explains anything that those before do not */
  add(added: Explanation): boolean {
    const same = this.#byPromise.get(added.promiseText)
    if (same === undefined) {
      this.#byPromise.set(added.promiseText, [added])
      return true
    }
    if (same.some((other) => needsNoMore(other, added))) return false
    const others = same.filter((other) => !needsNoMore(added, other))
    this.#byPromise.set(added.promiseText, [...others, added])
    return true
  }
}

/** Of two that make the same promises. */
function needsNoMore(one: Explanation, other: Explanation): boolean {
  return one.early.every(({ number }) => earlyOf(other.early, number) !== undefined)
}
