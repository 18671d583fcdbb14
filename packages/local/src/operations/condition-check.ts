import { type BoundCondition, matches } from '@isotherm/semantics'
import type { ItemWrite, Table } from '../table/table.js'
import { ServiceError } from '../wire/service-error.js'

/**
 * Refuses a write whose condition does not hold, and charges for it.
 * @param returnOld whether the item that is there goes into the error.
 * @throws ServiceError ConditionalCheckFailedException; Throttled when even that cannot be paid for.
 */
export function checkCondition(
  table: Table,
  write: ItemWrite,
  condition: BoundCondition | undefined,
  returnOld: boolean,
): void {
  if (condition === undefined || matches(condition, write.before?.item)) return
  table.chargeFailedCondition(write)
  const item = returnOld && write.before !== undefined ? { Item: write.before.item } : {}
  throw new ServiceError('ConditionalCheckFailedException', 'The conditional request failed', item)
}
