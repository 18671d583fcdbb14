import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { canonicalNumber } from '@isotherm/semantics'
import type { StoredItem } from '../../read-items.js'
import type { BaseItem, StoredLinks } from './base-item.js'

interface Content {
  readonly createdAt: number | undefined
  readonly fields: StoredItem
  readonly links: StoredLinks | undefined
}

/** Whether an item has the wanted content already. What is `undefined` may be anything. */
export function sameItem(item: BaseItem, wanted: Content): boolean {
  return (
    (wanted.createdAt === undefined || wanted.createdAt === item.createdAt) &&
    sameValues(item.fields, wanted.fields) &&
    (wanted.links === undefined || ordered(item.links) === ordered(wanted.links))
  )
}

function sameValues(one: StoredItem, other: StoredItem): boolean {
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every((name) => {
    const value = other[name]
    return value !== undefined && ordered(one[name]) === ordered(value)
  })
}

/** A text that is equal for equal values: members of maps, and of sets, in one order, and numbers as the service writes them. */
function ordered(value: unknown): string {
  // `Buffer` has a `toJSON`, which would come before the replacer, so the replacer asks for the member itself.
  return JSON.stringify(value, function (this: Record<string, unknown>, name, member: unknown) {
    const own = this[name]
    if (own instanceof Uint8Array) return Buffer.from(own).toString('base64')
    // Only the text of a number has this name: other members of it are objects.
    if (name === 'N' && typeof member === 'string') return canonicalNumber(member)
    if (name === 'NS' && Array.isArray(member)) return member.map((text) => canonicalNumber(text)).sort()
    if (SETS.includes(name) && Array.isArray(member)) return member.map((one) => ordered(one)).sort()
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

const SETS: readonly string[] = ['SS', 'BS'] satisfies (keyof AttributeValue)[]
