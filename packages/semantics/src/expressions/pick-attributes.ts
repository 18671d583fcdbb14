import type { Item } from '../attribute-value.js'
import { attributeOf } from './document-path.js'
import { defineAttribute } from './write-path.js'

/**
 * The attributes of an item with these names, in the order of the names. Names that the item lacks are skipped.
 * @example pickAttributes({ id: { S: 'a' }, size: { N: '1' } }, ['id', 'range']) // { id: { S: 'a' } }
 */
export function pickAttributes(item: Item, names: Iterable<string>): Item {
  const picked: Item = {}
  for (const name of names) {
    const value = attributeOf(item, name)
    if (value !== undefined) defineAttribute(picked, name, value)
  }
  return picked
}
