import fc, { type Arbitrary } from 'fast-check'
import type { TableModel } from '../model/table-model.js'
import { TABLES } from '../model/tables.js'

/** A request for both sides. */
export interface Step {
  readonly operation: string
  readonly request: object
  /** Request all pages, on each side separately, and compare them as a whole. */
  readonly pages?: true
}

/** Requests of one kind. */
export interface Family {
  readonly name: string
  /** The operations that both sides must support; until then the family is left out. */
  readonly operations: readonly string[]
  readonly steps: Arbitrary<Step>
  /** The family's share of the requests, in relation to the others. */
  readonly weight: number
}

/** Steps for one of the tables. */
export function forTable(steps: (table: TableModel) => Arbitrary<Step>): Arbitrary<Step> {
  return fc.constantFrom(...TABLES).chain(steps)
}
