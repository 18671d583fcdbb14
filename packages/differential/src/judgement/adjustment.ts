import type { Step } from '../families/family.js'
import type { JsonObject } from '../json.js'

/** Two successful responses. */
export interface Answers {
  readonly ours: JsonObject
  readonly theirs: JsonObject
}

/**
 * A part in which two responses can differ though both are right, or only ours is. Several can apply to one pair of
 * responses, so each removes its own part, and the rest must be equal.
 */
export interface Adjustment {
  readonly name: string
  readonly reason: string
  readonly source: string
  /** The responses without the part, or the same object when the part does not occur. */
  adjust(answers: Answers, step: Step): Answers
}
