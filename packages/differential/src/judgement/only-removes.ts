import type { Step } from '../families/family.js'
import { isJsonObject } from '../json.js'

/** Whether a request has an update without SET and ADD, which creates no item on the service. */
export function onlyRemoves(step: Step): boolean {
  return updatesOf(step).some((update) => removing(update) !== undefined)
}

/** Whether such an update has a path into a list or a map. */
export function removesInside(update: unknown): boolean {
  return /[.[]/.test(removing(update) ?? '')
}

/** The update of each action of a transaction, or that of the only request. Other actions have none. */
export function updatesOf({ operation, request }: Step): readonly unknown[] {
  if (operation === 'UpdateItem') return [request]
  if (operation !== 'TransactWriteItems' || !('TransactItems' in request)) return []
  const { TransactItems: actions } = request
  return Array.isArray(actions) ? actions.map((action) => action?.Update) : []
}

/** The expression of an update that only removes. */
function removing(update: unknown): string | undefined {
  if (!isJsonObject(update) || typeof update.UpdateExpression !== 'string') return undefined
  return /(^|\s)(SET|ADD)\s/i.test(update.UpdateExpression) ? undefined : update.UpdateExpression
}
