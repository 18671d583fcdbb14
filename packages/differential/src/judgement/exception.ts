import type { Step } from '../families/family.js'
import type { Comparable } from './comparable.js'

/** A request and the two different responses. */
export interface Difference {
  readonly step: Step
  readonly ours: Comparable
  readonly theirs: Comparable
}

/** A known difference between the two sides, with the reason why ours is right. */
export interface Exception {
  /** Kebab-case; the report counts by it. */
  readonly name: string
  readonly reason: string
  /** The source of the rule, or the evidence that only DynamoDB Local behaves in its way. */
  readonly source: string
  applies(difference: Difference): boolean
}
