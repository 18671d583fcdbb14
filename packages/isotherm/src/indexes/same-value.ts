import type { AttributeValue } from '@aws-sdk/client-dynamodb'

/** Whether two key attributes have the same value, in the same form. */
export function isSameValue(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  if (a?.B !== undefined && b?.B !== undefined) return Buffer.compare(a.B, b.B) === 0
  return a?.S === b?.S && a?.N === b?.N && a?.B === b?.B && (a === undefined) === (b === undefined)
}
