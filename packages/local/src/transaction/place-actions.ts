import { SAME_ITEM_TEXT } from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import type { Table } from '../table/table.js'
import { type CancellationReason, cancelled, NO_REASON, reasonOf } from './cancellation.js'
import type { Placement } from './transaction-action.js'

/** An action, and the key of its item. */
export interface Placed<Action> {
  readonly action: Action
  readonly placement: Placement
}

/**
 * Finds the items of all actions. The first action that does not fit its table cancels the transaction, before any
 * condition is checked and regardless of errors in other actions. The authors of ScyllaDB's test_transact.py measured
 * this on the service.
 *
 * @throws ServiceError TransactionCanceledException, or ValidationException when two actions concern the same item.
 */
export function placeActions<Action extends { readonly table: Table; place(): Placement }>(
  actions: readonly Action[],
): readonly Placed<Action>[] {
  const placed: Placed<Action>[] = []
  let misfit: { readonly action: Action; readonly reason: CancellationReason } | undefined
  for (const action of actions) {
    try {
      placed.push({ action, placement: action.place() })
    } catch (error) {
      const reason = reasonOf(error)
      misfit ??= { action, reason }
    }
  }
  if (hasTwice(placed)) {
    throw validationException(SAME_ITEM_TEXT)
  }
  if (misfit === undefined) return placed
  const { action: first, reason } = misfit
  throw cancelled(actions.map((action) => (action === first ? reason : NO_REASON)))
}

function hasTwice(placed: readonly Placed<{ readonly table: Table }>[]): boolean {
  const seen = new Map<Table, Set<string>>()
  return placed.some(({ action: { table }, placement: { key } }) => {
    const keys = seen.get(table) ?? new Set()
    seen.set(table, keys)
    return keys.size === keys.add(key).size
  })
}
