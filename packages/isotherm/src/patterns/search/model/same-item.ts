import type { AttributeValue } from '@aws-sdk/client-dynamodb'
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

/** A text that is equal for equal values: members of maps, and of sets, in one order. */
function ordered(value: unknown): string {
  return JSON.stringify(value, (name, member: unknown) => {
    if (member instanceof Uint8Array) return Buffer.from(member).toString('base64')
    if (SETS.includes(name) && Array.isArray(member)) return member.map((one) => ordered(one)).sort()
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

const SETS: readonly string[] = ['SS', 'NS', 'BS'] satisfies (keyof AttributeValue)[]
