/** How far down in `RequestItems` and `TransactItems` parameters stand: the requests of a batch, those of an action. */
const MAX_DEPTH = 3

/**
 * An input without the members that are null, which the SDK leaves out of requests. What is in keys and items is left to
 * the SDK. Without any it is the given one itself; else a copy as far as it differs.
 */
export function withoutNulls<Given>(given: Given, depth = 0): Given {
  if (depth > MAX_DEPTH || typeof given !== 'object') return given
  let kept: Given = given
  for (const name in given) {
    const member = given[name]
    const inner = depth > 0 || name.endsWith('Items') ? withoutNulls(member, depth + 1) : member
    if (inner === member && inner !== null) continue
    kept = Object.assign(Array.isArray(given) ? [] : {}, kept, { [name]: inner })
    if (inner === null) delete kept[name]
  }
  return kept
}
