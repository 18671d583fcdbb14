import { type AttributeValue, type Item, isEmptyKey, parseDecimal } from '@isotherm/semantics'
import { hasDate } from './iso-dates.js'
import { foreignCursor } from './rotation-errors.js'

/** Where the next page begins: in a period, behind an item of it, if there is one. */
export interface RangePosition {
  /** Beginning of the period, in milliseconds since the Unix epoch. */
  readonly period: number
  /** Key of the last item that was read. */
  readonly after: Item | undefined
}

/** What a cursor belongs to: one partition key, read in one direction. */
interface Reading {
  readonly table: string
  readonly partition: AttributeValue
  readonly forward: boolean
  /** The attributes of the primary key. */
  readonly partitionKey: string
  readonly sortKey: string
  readonly sortKeyType: 'S' | 'N'
}

const VERSION = 1

/** Writes a position as a text that is safe in URLs. */
export function toCursor(
  { partition, forward }: Pick<Reading, 'partition' | 'forward'>,
  { period, after }: RangePosition,
): string {
  const content = [
    VERSION,
    encoded(partition),
    forward,
    period,
    after === undefined ? null : encodedItem(after),
  ]
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

/** @throws IsothermError `rotation.cursor` for a text that `toCursor` did not make for this reading */
export function fromCursor(reading: Reading, cursor: unknown): RangePosition {
  const { table, partition, forward } = reading
  const content = typeof cursor === 'string' ? parsed(cursor) : undefined
  const [version, key, direction, period, after] = Array.isArray(content) ? (content as unknown[]) : []
  const isOwn = version === VERSION && JSON.stringify(key) === JSON.stringify(encoded(partition))
  const isPosition =
    typeof period === 'number' && hasDate(period) && (after === null || isKeyOf(reading, after))
  if (!isOwn || direction !== forward || !isPosition) throw foreignCursor(table, cursor)
  return { period, after: after === null ? undefined : decodedItem(after) }
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** A key's value: its type and its text. */
type Encoded = readonly [type: string, text: string]
type EncodedItem = Readonly<Record<string, Encoded>>

/** A shard's stored partition key is another one than the query's, so only its type is compared. */
function isKeyOf(reading: Reading, value: unknown): value is EncodedItem {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { partition, partitionKey, sortKey, sortKeyType } = reading
  const { [partitionKey]: stored, [sortKey]: sort, ...surplus } = value as Record<string, unknown>
  const [type] = encoded(partition)
  return isEncoded(stored, type) && isEncoded(sort, sortKeyType) && Object.keys(surplus).length === 0
}

function isEncoded(value: unknown, wanted: string): value is Encoded {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [type, text] = value as readonly unknown[]
  return (
    type === wanted &&
    typeof text === 'string' &&
    (type === 'N' ? isNumber(text) : !isEmptyKey(decoded([type, text])))
  )
}

function isNumber(text: string): boolean {
  try {
    parseDecimal(text)
    return true
  } catch {
    return false
  }
}

function encoded(value: AttributeValue): Encoded {
  if ('B' in value) return ['B', Buffer.from(value.B).toString('base64')]
  const [[type = '', text = ''] = []] = Object.entries(value) as [string, string][]
  return [type, text]
}

function decoded([type, text]: Encoded): AttributeValue {
  if (type === 'B') return { B: new Uint8Array(Buffer.from(text, 'base64')) }
  return type === 'N' ? { N: text } : { S: text }
}

function encodedItem(item: Item): EncodedItem {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, encoded(value)]))
}

function decodedItem(item: EncodedItem): Item {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, decoded(value)]))
}
