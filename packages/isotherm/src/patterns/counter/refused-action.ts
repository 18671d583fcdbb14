import { isCancellation } from '../../sdk/transaction-errors.js'
import type { StoredItem } from '../read-items.js'

/** The item as it was when the condition of an action did not hold, where the action asked for it and the service gave it. */
export function itemThatRefusedAction(error: unknown, action: number): StoredItem | undefined {
  return isCancellation(error) ? error.CancellationReasons?.[action]?.Item : undefined
}
