import fc, { type Arbitrary } from 'fast-check'
import { sometimes, weighted } from '../generators/weighted.js'
import { MISSING_TABLE } from '../model/tables.js'

/** The table's name, or rarely one that no table has. */
export function tableName(name: string): Arbitrary<string> {
  return weighted(
    [995, fc.constant(name)],
    [3, fc.constant(MISSING_TABLE)],
    [2, fc.constantFrom('', 'no', 'a b')],
  )
}

export const returnConsumedCapacity = sometimes(40, fc.constantFrom('TOTAL', 'INDEXES', 'NONE'))
