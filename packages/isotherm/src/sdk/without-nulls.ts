/** The depth of parameters in `RequestItems` and `TransactItems`: the requests of a batch, and those of an action. */
const MAX_DEPTH = 3

/**
 * Removes members that are null, because the SDK omits them from requests. Nulls inside keys and items are left to the
 * SDK. An input without nulls is returned unchanged. Otherwise only the changed parts are copied.
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
