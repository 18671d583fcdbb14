import type { Item } from './read-items.js'

const TYPES: ReadonlySet<string> = new Set(['S', 'N', 'B', 'BOOL', 'NULL', 'M', 'L', 'SS', 'NS', 'BS'])

/** The item of a line of DynamoDB JSON; `undefined` for plain JSON. */
export function itemOfDynamodbJson(value: object): Item | undefined {
  const item: unknown = 'Item' in value && Object.keys(value).length === 1 ? value.Item : value
  if (typeof item !== 'object' || item === null) return undefined
  const attributes = Object.values(item)
  if (attributes.length === 0 || !attributes.every(isAttributeValue)) return undefined
  return revived(item) as Item
}

/** A line of DynamoDB JSON, as exports of AWS have it. */
export function dynamodbJsonOf(item: Item): string {
  return JSON.stringify({ Item: item }, (_name, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  )
}

function isAttributeValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const [type, ...more] = Object.keys(value)
  return type !== undefined && more.length === 0 && TYPES.has(type)
}

function revived(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return name === 'B' || name === 'BS' ? Buffer.from(value, 'base64') : value
  if (Array.isArray(value)) return value.map((each) => revived(each, name === 'BS' ? name : ''))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, revived(each, member)]))
}
