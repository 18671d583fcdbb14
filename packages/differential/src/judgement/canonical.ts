import { isJsonObject, type JsonObject } from '../json.js'

/** Members whose values each side generates: times, ids, and names with an account or a region. */
const OWN = new Set([
  'CreationDateTime',
  'LastUpdateToPayPerRequestDateTime',
  'LastIncreaseDateTime',
  'LastDecreaseDateTime',
  'TableId',
  'TableArn',
  'IndexArn',
])
const MASK = '(its own)'

/** Members whose lists have no order that the service guarantees. */
const UNORDERED = new Set([
  'AttributeDefinitions',
  'GlobalSecondaryIndexes',
  'LocalSecondaryIndexes',
  'ConsumedCapacity',
])

/**
 * A response in a canonical form: members and sets in one order, generated values masked. Lists of items keep their
 * order; the caller knows whether it is significant.
 */
export function canonical(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(canonical)
  if (!isJsonObject(body)) return body
  const set = canonicalSet(body)
  if (set !== undefined) return set
  return Object.fromEntries(
    Object.entries(body)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, canonicalMember(name, member)]),
  )
}

function canonicalMember(name: string, member: unknown): unknown {
  if (OWN.has(name) && !isJsonObject(member)) return MASK
  const inner = canonical(member)
  return UNORDERED.has(name) && Array.isArray(inner) ? sorted(inner) : inner
}

function canonicalSet(value: JsonObject): JsonObject | undefined {
  const [type, ...others] = Object.keys(value)
  if (others.length > 0 || (type !== 'SS' && type !== 'NS' && type !== 'BS')) return undefined
  const members = value[type]
  return Array.isArray(members) ? { [type]: members.toSorted() } : undefined
}

/** A list in an order that depends only on its members. */
export function sorted(list: readonly unknown[]): unknown[] {
  const keyed = list.map((member) => [JSON.stringify(member), member] as const)
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, member]) => member)
}
