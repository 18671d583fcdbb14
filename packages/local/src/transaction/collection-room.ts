import { CollectionTooLarge } from '../table/item-collections.js'
import type { CollectionGrowth } from '../table/item-write.js'
import type { Table } from '../table/table.js'
import { type CancellationReason, NO_REASON, reasonOf } from './cancellation.js'

/** What an action of a transaction does to its item collection. */
export interface Growing {
  readonly table: Table
  /** `undefined` for an action that writes nothing, and in a table whose collections have no limit. */
  readonly growth: CollectionGrowth | undefined
}

/**
 * The actions for which their item collections have no room. All actions happen at once, so those that shrink a collection
 * make room for the others, whatever their order. The others then fill it in their order. The documentation does not say
 * which of several actions the service names.
 *
 * @returns a reason for each action, in their order.
 */
export function roomReasons(actions: readonly Growing[]): readonly CancellationReason[] {
  if (actions.every(({ growth }) => growth === undefined)) return actions.map(() => NO_REASON)
  const growths = new Map<Table, Map<string, number>>()
  for (const { table, growth } of actions) {
    if (growth === undefined || growth.bytes > 0) continue
    const ofTable = growthsOf(growths, table)
    ofTable.set(growth.collection, (ofTable.get(growth.collection) ?? 0) + growth.bytes)
  }
  return actions.map(({ table, growth }) => {
    if (growth === undefined || growth.bytes <= 0) return NO_REASON
    const ofTable = growthsOf(growths, table)
    const bytes = (ofTable.get(growth.collection) ?? 0) + growth.bytes
    try {
      table.checkRoom({ collection: growth.collection, bytes })
    } catch (error) {
      if (error instanceof CollectionTooLarge) return reasonOf(error)
      throw error
    }
    ofTable.set(growth.collection, bytes)
    return NO_REASON
  })
}

function growthsOf(growths: Map<Table, Map<string, number>>, table: Table): Map<string, number> {
  const known = growths.get(table)
  if (known !== undefined) return known
  const ofTable = new Map<string, number>()
  growths.set(table, ofTable)
  return ofTable
}
