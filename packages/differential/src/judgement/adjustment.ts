import type { Step } from '../families/family.js'
import type { JsonObject } from '../json.js'

/** Two answers that both say that it was done. */
export interface Answers {
  readonly ours: JsonObject
  readonly theirs: JsonObject
}

/**
 * A part in which two answers may differ though both are right, or though ours is. Several can meet in one answer, so
 * each takes away its own part, and what is left must be equal.
 */
export interface Adjustment {
  readonly name: string
  readonly reason: string
  readonly source: string
  /** The answers without the part, or the very same object when there is none. */
  adjust(answers: Answers, step: Step): Answers
}
