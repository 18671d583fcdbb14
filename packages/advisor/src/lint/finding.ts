import type { TablePlace } from '../table/table-definition.js'
import type { Cure, Level } from './rule/rule.js'

/** A problem of one table. */
export interface Finding {
  /** The rule's id, such as `low-cardinality-index-key`. */
  readonly rule: string
  readonly level: Level
  readonly title: string
  readonly table: string
  readonly place: TablePlace
  /** What of the table it is about. */
  readonly subject: string
  readonly evidence: string
  readonly consequence: string
  readonly cure: Cure
  /** The page of the rule. */
  readonly page: string
}
