import type { ItemSample } from '../../sample/item-sample.js'
import type { TableDefinition } from '../../table/table-definition.js'

/** How bad a finding is, in the words of SARIF. */
export type Level = 'error' | 'warning' | 'note'

/** The levels, the worst first. */
export const LEVELS: readonly Level[] = ['error', 'warning', 'note']

/** How to correct a finding. */
export interface Cure {
  /** One or two sentences. */
  readonly text: string
  /** A module that does it, in TypeScript. */
  readonly code?: string
}

/** What a rule found in one table. */
export interface Found {
  /** The key, index or attribute that it is about, such as `index by_status`. */
  readonly subject: string
  /** What was seen. */
  readonly evidence: string
  /** What follows from it, with numbers. */
  readonly consequence: string
  readonly cure: Cure
  /** If it is worse or better than the rule's own level. */
  readonly level?: Level
}

/** What a rule can look at. */
export interface Examined {
  readonly table: TableDefinition
  /** Missing if there are no items. */
  readonly sample?: ItemSample
}

/** A definition in the form of CreateTable that breaks a rule, and items if it needs some. */
export interface RuleExample {
  readonly table: { readonly [member: string]: unknown }
  readonly items?: readonly { readonly [attribute: string]: unknown }[]
}

/** One check, and all that its page says. */
export interface Rule {
  readonly id: string
  readonly level: Level
  readonly title: string
  /** Paragraphs: the reason, with numbers. */
  readonly why: readonly string[]
  readonly sources: readonly string[]
  readonly example: RuleExample
  /** What the rule finds. */
  check(examined: Examined): readonly Found[]
}
