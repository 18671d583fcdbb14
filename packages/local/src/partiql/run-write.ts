import { type Item, matches } from '@isotherm/semantics'
import { conditionalCheckFailed, ServiceError } from '../errors/service-error.js'
import { afterwards } from '../storage/afterwards.js'
import type { StoredItem } from '../storage/ordered-map.js'
import type { Awaitable } from '../storage/storage.js'
import type { ItemWrite, WriteUnits } from '../table/item-write.js'
import { proposedItem } from '../table/proposed-item.js'
import { DUPLICATE, type StatementAction } from './statement-action.js'

/** The item that a write returns, and the units it consumed. */
export interface WriteResult {
  readonly item: Item | undefined
  readonly units: WriteUnits
}

/**
 * Executes one action on its own.
 *
 * @param before the item as writers see it now
 * @throws ServiceError DuplicateItemException or ConditionalCheckFailedException, or Throttled when nothing was
 * changed.
 */
export function runWrite(
  action: StatementAction,
  before: StoredItem | undefined,
  returnsOldOnFailure: boolean,
): Awaitable<WriteResult> {
  const { table, key, condition } = action
  if (condition !== undefined && !matches(condition, before?.item)) {
    // An UPDATE of a missing item would not have created one.
    const makesNothing = action.kind === 'update' && before === undefined
    const after = makesNothing ? undefined : proposedItem(() => action.after(before))
    table.chargeFailedCondition({ key, before, after })
    throw failedCondition(action, before?.item, returnsOldOnFailure)
  }
  const write: ItemWrite = { key, before, after: action.after(before) }
  const item = action.returned(write)
  return afterwards(table.write(write), (units) => ({ item, units }))
}

function failedCondition(
  { kind }: StatementAction,
  item: Item | undefined,
  returnsOld: boolean,
): ServiceError {
  if (kind === 'put') {
    return new ServiceError('DuplicateItemException', DUPLICATE)
  }
  return conditionalCheckFailed(returnsOld ? item : undefined)
}
