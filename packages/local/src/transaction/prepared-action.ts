import { matches, TRANSACTIONAL_PRICE, writeUnits } from '@isotherm/semantics'
import type { Demand } from '../capacity/admission.js'
import type { StoredItem } from '../storage/storage.js'
import { type ItemWrite, type PreparedWrite, tableUnits, type WriteUnits } from '../table/table.js'
import { proposedItem } from '../validation/proposed-item.js'
import { type CancellationReason, conditionFailed, NO_REASON, reasonOf } from './cancellation.js'
import type { Placed } from './place-actions.js'
import type { WriteAction } from './transaction-action.js'

/** An action held against the item that is there: what it costs, and what it does or why it cannot. */
export interface PreparedAction {
  readonly placed: Placed<WriteAction>
  readonly demands: readonly Demand[]
  readonly units: WriteUnits
  readonly reason: CancellationReason
  /** Nothing for an action that only checks, or that cannot be done. */
  readonly write: ItemWrite | undefined
}

/** Judges an action by the item that is there now, without taking or changing anything. */
export function prepareAction(placed: Placed<WriteAction>): PreparedAction {
  const { table, condition, returnsOld } = placed.action
  const { key, change } = placed.placement
  const before = table.peek(key)
  try {
    table.locks.assertFree(key)
    if (condition !== undefined && !matches(condition, before?.item)) {
      return refused(placed, before, conditionFailed(returnsOld ? before?.item : undefined))
    }
    if (change === undefined) return refused(placed, before, NO_REASON)
    const write = { key, before, after: change(before) }
    const { demands, units } = inTransaction(table.prepare(write))
    return { placed, demands, units, reason: NO_REASON, write }
  } catch (error) {
    return refused(placed, before, reasonOf(error))
  }
}

/** What a prepared action changes, as its table sees it now: indexes may have come or gone since it was prepared. */
export function finalWrite({ placed, write }: PreparedAction): PreparedWrite | undefined {
  return write === undefined ? undefined : inTransaction(placed.action.table.prepare(write))
}

/**
 * What writes nothing, because it only checks or because it cannot, costs as much as writing the item again; or the one
 * that it would have made, if that is larger.
 */
function refused(
  placed: Placed<WriteAction>,
  before: StoredItem | undefined,
  reason: CancellationReason,
): PreparedAction {
  const { action, placement } = placed
  const after = proposedItem(() => placement.change?.(before))
  const bytes = Math.max(before?.bytes ?? 0, after?.bytes ?? 0)
  const units = writeUnits(bytes, { transactional: true })
  const { capacity } = action.table
  const demands: Demand[] = [{ capacity, kind: 'write', key: placement.key, units }]
  return { placed, demands, units: tableUnits(units), reason, write: undefined }
}

/**
 * Every write happens twice, once to prepare and once to commit. That the guide says of items; that it holds for index
 * entries too was seen in DynamoDB Local.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-capacity-handling
 */
function inTransaction(prepared: PreparedWrite): PreparedWrite {
  const { demands, units, queued } = prepared
  const twice = (once: number) => once * TRANSACTIONAL_PRICE
  const allTwice = (indexes: WriteUnits['indexes']) =>
    new Map([...indexes].map(([index, once]) => [index, twice(once)]))
  return {
    ...prepared,
    demands: demands.map((demand) => ({ ...demand, units: twice(demand.units) })),
    queued: queued.map(({ queue, write }) => ({ queue, write: { ...write, units: twice(write.units) } })),
    units: {
      table: twice(units.table),
      indexes: allTwice(units.indexes),
      localIndexes: allTwice(units.localIndexes),
    },
  }
}
