/** A finding of the linter about one table. */
export interface AdviceFinding {
  /** The rule's id, such as `low-cardinality-index-key`. */
  readonly rule: string
  readonly level: 'error' | 'warning' | 'note'
  readonly title: string
  /** The key, index or attribute that it is about. */
  readonly subject: string
  readonly evidence: string
  readonly consequence: string
  readonly cure: { readonly text: string; readonly code?: string }
  /** The page of the rule. */
  readonly page: string
}

/** What the linter finds in the definition of a table. */
export interface Advice {
  readonly version: 1
  readonly table: string
  /** The worst first. */
  readonly findings: readonly AdviceFinding[]
}
