import type { AttributeValue } from '../attribute-value.js'
import { bytesAsText } from '../equal-values.js'
import { orderedBinaries, orderedNumbers, orderedStrings } from '../set-order.js'

/** The union of two sets of one type, in order. */
export function addToSet(present: AttributeValue, more: AttributeValue): AttributeValue {
  if ('SS' in present && 'SS' in more) return { SS: orderedStrings(united(present.SS, more.SS)) }
  if ('NS' in present && 'NS' in more) return { NS: orderedNumbers(united(present.NS, more.NS)) }
  if ('BS' in present && 'BS' in more) {
    const known = new Set(present.BS.map(bytesAsText))
    const added = more.BS.filter((member) => !known.has(bytesAsText(member)))
    return { BS: orderedBinaries([...present.BS, ...added]) }
  }
  throw new TypeError('Only sets of one type can be united.')
}

/** The remaining members, or `undefined` when there are none: DynamoDB has no empty sets. */
export function removeFromSet(present: AttributeValue, fewer: AttributeValue): AttributeValue | undefined {
  if ('SS' in present && 'SS' in fewer) {
    const SS = without(present.SS, fewer.SS)
    return SS.length > 0 ? { SS } : undefined
  }
  if ('NS' in present && 'NS' in fewer) {
    const NS = without(present.NS, fewer.NS)
    return NS.length > 0 ? { NS } : undefined
  }
  if ('BS' in present && 'BS' in fewer) {
    const gone = new Set(fewer.BS.map(bytesAsText))
    const BS = present.BS.filter((member) => !gone.has(bytesAsText(member)))
    return BS.length > 0 ? { BS } : undefined
  }
  throw new TypeError('Only a set of the same type can be taken from a set.')
}

function united(members: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...members, ...more])]
}

function without(members: readonly string[], gone: readonly string[]): string[] {
  const absent = new Set(gone)
  return members.filter((member) => !absent.has(member))
}
