import fc, { type Arbitrary } from 'fast-check'
import type { TableModel } from '../model/table-model.js'
import { TABLES } from '../model/tables.js'

/** Something to ask both sides. */
export interface Step {
  readonly operation: string
  readonly request: object
  /** Go on where a page ends, on each side for itself, and compare what came together. */
  readonly pages?: true
}

/** Requests that belong together. */
export interface Family {
  readonly name: string
  /** What both sides must know; the family waits until they do. */
  readonly operations: readonly string[]
  readonly steps: Arbitrary<Step>
  /** How many of a thousand requests are of this family, in relation to the others. */
  readonly weight: number
}

/** Steps for one of the tables. */
export function forTable(
  steps: (table: TableModel) => Arbitrary<Step>,
  tables: readonly TableModel[] = TABLES,
): Arbitrary<Step> {
  return fc.constantFrom(...tables).chain(steps)
}
