import type { Item } from '@isotherm/semantics'
import { missingKey } from '../../keys/missing-key.js'
import { refuseUnknown } from '../../options/check.js'
import type { PlainItem } from '../values/plain-item.js'
import { toItem } from '../values/to-attribute-value.js'
import type { ParsedLargeOptions } from './large-options.js'

/** @throws IsothermError `key.missing`, `options.unknown` for an attribute that is not of the key, `pattern.value` */
export function toKey(key: PlainItem, options: ParsedLargeOptions): Item {
  const given = toItem('large: the key', key)
  const own = keyOf(given, options)
  refuseUnknown('large: the key', given, options.keys)
  return own
}

/** @throws IsothermError `key.missing` */
export function keyOf(item: Item, { keys, table }: ParsedLargeOptions): Item {
  const key: Item = {}
  for (const attribute of keys) {
    const value = item[attribute]
    if (value === undefined) throw missingKey(table, attribute, attribute === keys[0] ? 'partition' : 'sort')
    key[attribute] = value
  }
  return key
}
