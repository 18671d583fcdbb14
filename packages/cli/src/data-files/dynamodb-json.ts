import type { Item } from './read-items.js'

const isText = (value: unknown) => typeof value === 'string'
const isBoolean = (value: unknown) => typeof value === 'boolean'
const areTexts = (value: unknown) => Array.isArray(value) && value.every(isText)

/** Whether a value fits its type. Bytes are base64. */
const TYPES = new Map<string, (value: unknown) => boolean>([
  ['S', isText],
  ['N', isText],
  ['B', isText],
  ['BOOL', isBoolean],
  ['NULL', isBoolean],
  ['M', (value) => isObject(value) && Object.values(value).every(isAttributeValue)],
  ['L', (value) => Array.isArray(value) && value.every(isAttributeValue)],
  ['SS', areTexts],
  ['NS', areTexts],
  ['BS', areTexts],
])

/**
 * The item of a line of DynamoDB JSON; `undefined` for plain JSON.
 * @throws TypeError for an attribute whose value does not fit its type
 */
export function itemOfDynamodbJson(value: object): Item | undefined {
  const item: unknown = 'Item' in value && Object.keys(value).length === 1 ? value.Item : value
  if (typeof item !== 'object' || item === null) return undefined
  const attributes = Object.entries(item)
  if (attributes.length === 0 || !attributes.every(([, each]) => typeOf(each) !== undefined)) return undefined
  const wrong = attributes.find(([, each]) => !isAttributeValue(each))
  if (wrong === undefined) return revived(item) as Item
  throw new TypeError(`the attribute ${wrong[0]} is ${JSON.stringify(wrong[1]).slice(0, 80)}`)
}

/** A line of DynamoDB JSON, as exports of AWS have it. */
export function dynamodbJsonOf(item: Item): string {
  return JSON.stringify({ Item: item }, (_name, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  )
}

function isAttributeValue(value: unknown): boolean {
  const type = typeOf(value)
  return type !== undefined && TYPES.get(type)?.(Object(value)[type]) === true
}

/** The type that a value names; `undefined` if it has not the form of an attribute's value. */
function typeOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined
  const [type, ...more] = Object.keys(value)
  return type !== undefined && more.length === 0 && TYPES.has(type) ? type : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function revived(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return name === 'B' || name === 'BS' ? Buffer.from(value, 'base64') : value
  if (Array.isArray(value)) return value.map((each) => revived(each, name === 'BS' ? name : ''))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, revived(each, member)]))
}
