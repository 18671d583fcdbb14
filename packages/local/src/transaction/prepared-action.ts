import { matches, TRANSACTIONAL_PRICE, writeUnits } from '@isotherm/semantics'
import type { Demand } from '../capacity/admission.js'
import type { StoredItem } from '../storage/storage.js'
import {
  type ItemWrite,
  type PreparedWrite,
  type Table,
  tableUnits,
  type WriteUnits,
} from '../table/table.js'
import { type CancellationReason, conditionFailed, NO_REASON, reasonOf } from './cancellation.js'
import type { Placed } from './place-actions.js'
import type { WriteAction } from './transaction-action.js'

/** An action held against the item that is there: what it costs, and what it does or why it cannot. */
export interface PreparedAction {
  readonly placed: Placed<WriteAction>
  readonly demands: readonly Demand[]
  readonly units: WriteUnits
  readonly reason: CancellationReason
  readonly outcome: { readonly after: StoredItem | undefined } | undefined
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
    const outcome = { after: change(before) }
    const { demands, units } = inTransaction(table.prepare({ key, before, ...outcome }))
    return { placed, demands, units, reason: NO_REASON, outcome }
  } catch (error) {
    return refused(placed, before, reasonOf(error))
  }
}

/** The write of a prepared action by what is there now; nothing when it only checks. */
export function judgedWrite({ placed, outcome }: PreparedAction): ItemWrite | undefined {
  if (outcome === undefined) return undefined
  const { key } = placed.placement
  return { key, before: placed.action.table.peek(key), ...outcome }
}

/** The write of a prepared action, as its table makes it now: indexes may have come or gone since it was prepared. */
export function finalWrite(action: PreparedAction): PreparedWrite | undefined {
  const write = judgedWrite(action)
  return write === undefined ? undefined : action.placed.action.table.prepare(write)
}

/** What writes nothing, because it only checks or because it cannot, costs as much as writing the item again. */
function refused(
  placed: Placed<WriteAction>,
  before: StoredItem | undefined,
  reason: CancellationReason,
): PreparedAction {
  const table = writeUnits(before?.bytes ?? 0, { transactional: true })
  const demand = tableDemand(placed.action.table, placed, table)
  return { placed, demands: [demand], units: tableUnits(table), reason, outcome: undefined }
}

function tableDemand({ capacity }: Table, { placement }: Placed<WriteAction>, units: number): Demand {
  return { capacity, kind: 'write', key: placement.key, units }
}

/**
 * Every write happens twice, once to prepare and once to commit. That the guide says of items; that it holds for index
 * entries too was seen in DynamoDB Local.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-capacity-handling
 */
function inTransaction({ demands, units }: PreparedWrite): Pick<PreparedAction, 'demands' | 'units'> {
  const twice = (once: number) => once * TRANSACTIONAL_PRICE
  return {
    demands: demands.map((demand) => ({ ...demand, units: twice(demand.units) })),
    units: {
      table: twice(units.table),
      indexes: new Map([...units.indexes].map(([index, once]) => [index, twice(once)])),
      localIndexes: new Map([...units.localIndexes].map(([index, once]) => [index, twice(once)])),
    },
  }
}
