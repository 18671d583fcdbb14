import { MAX_TRANSACTION_ACTIONS } from '../limits.js'
import { atMostText, constraintText } from './parameters.js'

/** The service's sentences about transactions. */

export const TRANSACTION_CONFLICT_TEXT = 'Transaction is ongoing for the item'
export const SAME_ITEM_TEXT = 'Transaction request cannot include multiple operations on one item'

/** For an action without an operation. */
export const NO_ACTION_TEXT =
  "1 validation error detected: Value '' at 'transactItems' failed to satisfy constraint: TransactWriteRequest should contain Delete or Put or Update or ConditionCheck"

export function actionCountText(): string {
  return constraintText('TransactItems', atMostText('length', MAX_TRANSACTION_ACTIONS))
}

/** @param reasons the reason of each action, in the order of the request. */
export function cancellationText(reasons: readonly { readonly Code?: string | undefined }[]): string {
  const codes = reasons.map(({ Code }) => Code).join(', ')
  return `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`
}

export function payloadSizeText(bytes: number): string {
  return `Transaction payload size cannot exceed 4MB. Payload Size: ${bytes}`
}
