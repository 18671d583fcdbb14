import { utf8Length } from '@isotherm/semantics'
import { invalidOption } from '../../../options/check.js'
import type { StoredItem } from '../../read-items.js'
import { firstCharacters } from '../text/first-characters.js'
import type { AttributeNames } from './attribute-names.js'

/** The sort key of the item itself. Those of its search items begin with another character. */
export const ITEM = 'item'
const MAX_NAME_BYTES = 128

/** The value of the partition key of an item and all that is beside it. A tenant has no `#`, so it ends at the first one. */
export function itemId(tenant: string, id: string): string {
  return `${tenant}#${id}`
}

/** The value of the partition key of a link's target. Ids of items have no `#`. */
export function targetId(tenant: string, kind: string, id: string): string {
  return `${tenant}##${kind}#${id}`
}

export function keyOf(names: AttributeNames, ID: string, dataType: string): StoredItem {
  return { [names.id]: { S: ID }, [names.dataType]: { S: dataType } }
}

/** The partition keys of the index. Each begins with the tenant, and no tenant's name contains the `#` behind it. */
export const searchType = {
  /** All items of the tenant. */
  listing: (tenant: string) => `${tenant}#${ITEM}`,
  /** All texts that begin with the same character. */
  texts: (tenant: string, text: string) => `${tenant}#=${firstCharacters(text, 1)}`,
  head: (tenant: string, head: string) => `${tenant}#^${head}`,
  gram: (tenant: string, gram: string) => `${tenant}#~${gram}`,
  /** All items that are linked to a target. */
  links: (tenant: string, kind: string, target: string) => `${tenant}#+${kind}#${target}`,
  /** All targets of a kind. */
  targets: (tenant: string, kind: string) => `${tenant}##${kind}`,
}

/** Whether a sort key of the table is that of a search item. */
export function isSearchItem(dataType: string): boolean {
  return /^[=^~+]/.test(dataType)
}

/** @throws IsothermError `options.invalid` */
export function requireName(place: string, name: unknown): string {
  const fits = typeof name === 'string' && !/[#\p{Cc}\p{Cs}]/u.test(name)
  if (fits && name !== '' && utf8Length(name) <= MAX_NAME_BYTES) return name
  throw invalidOption(
    place,
    name,
    `text of 1 to ${MAX_NAME_BYTES} bytes without #, control characters and half surrogate pairs`,
  )
}
