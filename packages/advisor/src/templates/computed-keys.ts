import type { Intrinsics } from './intrinsics.js'
import { isPlainObject, type Plain, type PlainObject } from './plain.js'

const KEY_MEMBERS = [
  'AttributeDefinitions',
  'KeySchema',
  'GlobalSecondaryIndexes',
  'LocalSecondaryIndexes',
  'VectorIndexes',
] as const

/** Members of indexes that say nothing about keys, and are often computed. */
const NO_KEYS = /Throughput|^Projection$|ContributorInsights/

/**
 * Whether a part of a table's keys or declarations is known only at deployment: it comes from another stack, from a
 * macro, or from a file of the Serverless Framework.
 *
 * @param given the properties as they are written
 * @param resolved the same, as far as they are known
 */
export function hasComputedKeys(given: Plain, resolved: PlainObject, intrinsics: Intrinsics): boolean {
  if (!isPlainObject(given) || 'Fn::Transform' in given) return true
  return KEY_MEMBERS.some((member) => {
    const written = given[member]
    if (written === undefined || written === null) return false
    const known = resolved[member]
    const isText =
      typeof known === 'string' || (Array.isArray(known) && known.some((each) => !isPlainObject(each)))
    return isText || !intrinsics.isKnown(keysOnly(written))
  })
}

function keysOnly(value: Plain): Plain {
  if (Array.isArray(value)) return value.map(keysOnly)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !NO_KEYS.test(name))
      .map(([name, member]) => [name, keysOnly(member)]),
  )
}
