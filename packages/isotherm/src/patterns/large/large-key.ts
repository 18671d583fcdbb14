import type { Item } from '@isotherm/semantics'
import { missingKey } from '../../keys/missing-key.js'
import { refuseUnknown } from '../../options/check.js'
import type { PlainItem } from '../values/plain-item.js'
import { requireKeyValue } from '../values/require-key-value.js'
import { toItem } from '../values/to-attribute-value.js'
import type { ParsedLargeOptions } from './large-options.js'

/** @throws IsothermError `key.missing`, `options.unknown` for an attribute that is not of the key, `pattern.value` */
export function toKey(key: PlainItem, options: ParsedLargeOptions): Item {
  const given = toItem('large: the key', key)
  const own = keyOf(given, options)
  refuseUnknown('large: the key', given, options.keys)
  return own
}

/** @throws IsothermError `key.missing` or `pattern.value` */
export function keyOf(item: Item, { keys, table }: ParsedLargeOptions): Item {
  const key: Item = {}
  for (const attribute of keys) {
    const value = item[attribute]
    const kind = attribute === keys[0] ? 'partition' : 'sort'
    if (value === undefined) throw missingKey(table, attribute, kind)
    requireKeyValue(`large: the key ${attribute}`, value, kind)
    key[attribute] = value
  }
  return key
}
