import { matches, TRANSACTIONAL_PRICE, writeUnits } from '@isotherm/semantics'
import type { Demand } from '../capacity/admission.js'
import type { StoredItem } from '../storage/ordered-map.js'
import {
  type CollectionGrowth,
  type ItemWrite,
  type PreparedWrite,
  tableUnits,
  type WriteUnits,
} from '../table/item-write.js'
import { proposedItem } from '../table/proposed-item.js'
import { type CancellationReason, conditionFailed, NO_REASON, reasonOf } from './cancellation.js'
import { roomReasons } from './collection-room.js'
import type { Placed } from './place-actions.js'
import type { WriteAction } from './transaction-action.js'

/** An action checked against the current item: its cost, and its write or the reason against it. */
export interface PreparedAction {
  readonly placed: Placed<WriteAction>
  readonly demands: readonly Demand[]
  readonly units: WriteUnits
  readonly reason: CancellationReason
  /** `undefined` for an action that only checks, or that failed. */
  readonly write: ItemWrite | undefined
  /** `undefined` without a write, and in a table whose item collections have no limit. */
  readonly growth: CollectionGrowth | undefined
}

/** Checks all actions against the current items. Takes no units and changes nothing. */
export function prepareActions(placed: readonly Placed<WriteAction>[]): readonly PreparedAction[] {
  const prepared = placed.map(prepareAction)
  if (prepared.every(({ growth }) => growth === undefined)) return prepared
  const rooms = roomReasons(
    prepared.map(({ placed: { action }, growth }) => ({ table: action.table, growth })),
  )
  return prepared.map((action, at) => {
    const reason = rooms[at] ?? NO_REASON
    return reason === NO_REASON ? action : { ...action, reason, write: undefined, growth: undefined }
  })
}

function prepareAction(placed: Placed<WriteAction>): PreparedAction {
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
    const { demands, units, growth } = table.prepare(write)
    return {
      placed,
      demands: demands.map((demand) => ({ ...demand, units: twice(demand.units) })),
      units: {
        table: twice(units.table),
        indexes: allTwice(units.indexes),
        localIndexes: allTwice(units.localIndexes),
      },
      reason: NO_REASON,
      write,
      growth,
    }
  } catch (error) {
    return refused(placed, before, reasonOf(error))
  }
}

/**
 * The write of a prepared action, computed again because indexes may have been added or removed since. Its immediate
 * units have been taken already. Queued index entries still have to be paid for.
 */
export function finalWrite({ placed, write }: PreparedAction): PreparedWrite | undefined {
  if (write === undefined) return undefined
  const prepared = placed.action.table.prepare(write)
  if (prepared.queued.length === 0) return prepared
  const queued = prepared.queued.map(({ queue, write: entry }) => {
    return { queue, write: { ...entry, units: twice(entry.units) } }
  })
  return { ...prepared, queued }
}

/**
 * The cost of an action that writes nothing, because it only checks or because it failed: the cost of writing the
 * existing item again, or the proposed item if that is larger.
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
  return { placed, demands, units: tableUnits(units), reason, write: undefined, growth: undefined }
}

/**
 * A transaction performs every write twice, once to prepare and once to commit. The guide says this of items. For index
 * entries it was observed in DynamoDB Local. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-capacity-handling
 */
function twice(units: number): number {
  return units * TRANSACTIONAL_PRICE
}

function allTwice(indexes: WriteUnits['indexes']): WriteUnits['indexes'] {
  return indexes.size === 0 ? indexes : new Map([...indexes].map(([index, units]) => [index, twice(units)]))
}
