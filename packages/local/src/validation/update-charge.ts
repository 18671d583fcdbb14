import { type BoundUpdate, updateChargeBytes } from '@isotherm/semantics'
import { checkItemSize } from './key-checks.js'

/** Checks the size of an update's statement, before its condition is evaluated. @throws ServiceError */
export function checkUpdateCharge(update: BoundUpdate): void {
  checkItemSize(updateChargeBytes(update), 'update')
}
