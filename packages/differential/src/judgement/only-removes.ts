import type { Step } from '../families/family.js'

/** Whether a request holds an update without SET and ADD, which creates no item on the service. */
export function onlyRemoves({ operation, request }: Step): boolean {
  if (operation !== 'UpdateItem' && operation !== 'TransactWriteItems') return false
  return /"UpdateExpression":"(?!([^"]*\s)?(SET|ADD)\s)/i.test(JSON.stringify(request))
}
