import { isJsonObject, type JsonObject } from '../json.js'

/** What each side makes up for itself: times, ids, and names that hold an account or a region. */
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

/** Members of an answer whose lists have no order that the service promises. */
const UNORDERED = new Set([
  'AttributeDefinitions',
  'GlobalSecondaryIndexes',
  'LocalSecondaryIndexes',
  'ConsumedCapacity',
])

/**
 * An answer as both sides would give it if they agree: members in one order, sets in one order, what each side makes
 * up masked. Lists of items keep their order; who compares them knows whether it means anything.
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

/** A list in an order that depends on nothing but its members. */
export function sorted(list: readonly unknown[]): unknown[] {
  const keyed = list.map((member) => [JSON.stringify(member), member] as const)
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, member]) => member)
}
