import type { Exception } from '../exception.js'
import { EXPRESSIONS } from './expressions.js'
import { KEYS } from './keys.js'
import { LENIENCY } from './leniency.js'
import { MISSING_TABLES } from './missing-tables.js'
import { ORDER_OF_CHECKS } from './order-of-checks.js'
import { OWN_TEXTS } from './own-texts.js'
import { TABLE_TEXTS } from './table-texts.js'
import { TRANSACTIONS } from './transactions.js'
import { UPDATES_THAT_ONLY_REMOVE } from './updates-that-only-remove.js'
import { WIRE_TYPES } from './wire-types.js'

/** Every difference of whole responses that was judged to be right. The first that applies is counted. */
export const EXCEPTIONS: readonly Exception[] = [
  ...WIRE_TYPES,
  ...MISSING_TABLES,
  ...KEYS,
  ...EXPRESSIONS,
  ...OWN_TEXTS,
  ...TABLE_TEXTS,
  ...TRANSACTIONS,
  ...UPDATES_THAT_ONLY_REMOVE,
  ...LENIENCY,
  ...ORDER_OF_CHECKS,
]
