import type { Step } from '../families/family.js'
import type { Comparable } from './comparable.js'

/** A request and what each side made of it. */
export interface Difference {
  readonly step: Step
  readonly ours: Comparable
  readonly theirs: Comparable
}

/** A way in which the two sides may differ, and why ours is right. */
export interface Exception {
  /** Kebab-case; what the report counts. */
  readonly name: string
  readonly reason: string
  /** Where the rule is written down, or what shows that DynamoDB Local is alone with its behaviour. */
  readonly source: string
  applies(difference: Difference): boolean
}
