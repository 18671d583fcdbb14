import type { Adjustment } from '../adjustment.js'
import { CONSUMED_CAPACITY } from './consumed-capacity.js'
import { ITEMS } from './items.js'
import { TABLE_DESCRIPTIONS } from './table-descriptions.js'

/** Every part in which two responses can differ. */
export const ADJUSTMENTS: readonly Adjustment[] = [...CONSUMED_CAPACITY, ...ITEMS, ...TABLE_DESCRIPTIONS]
