import type { Item } from '@isotherm/semantics'
import { IsothermError } from '../../errors/isotherm-error.js'
import { missingKey } from '../../keys/missing-key.js'
import { refuseUnknown } from '../../options/check.js'
import type { PlainItem } from '../values/plain-item.js'
import { requireKeyType } from '../values/require-key-type.js'
import { requireKeyValue } from '../values/require-key-value.js'
import { toItem } from '../values/to-attribute-value.js'
import { hasDate } from './iso-dates.js'
import { timeOf } from './query-range.js'
import type { ParsedRotationOptions } from './rotation-options.js'

/** @throws IsothermError `options.unknown` for an attribute that is not of the key, `pattern.value` */
export function toKey(key: PlainItem, { partitionKey, sortKey }: ParsedRotationOptions): Item {
  const given = toItem('rotation: the key', key)
  refuseUnknown('rotation: the key', given, [partitionKey, sortKey])
  return given
}

/**
 * The time of an item, in milliseconds since the Unix epoch.
 *
 * @param item an item, or its key
 * @throws IsothermError `key.missing`, `pattern.value` or `rotation.time`
 */
export function itemTime(item: Item, options: ParsedRotationOptions): number {
  const { table, partitionKey, partitionKeyType, sortKey, time } = options
  for (const [attribute, kind] of [
    [partitionKey, 'partition'],
    [sortKey, 'sort'],
  ] as const) {
    const value = item[attribute]
    if (value === undefined) throw missingKey(table, attribute, kind)
    const place = `rotation: the key ${attribute}`
    requireKeyValue(place, value, kind)
    // A table is created only for an item that it can take.
    if (kind === 'partition') requireKeyType(place, value, partitionKeyType, table)
  }
  const at = timeOf(item[sortKey], options)
  if (hasDate(at)) return at
  const expected = time.type === 'N' ? 'a number' : 'a text'
  const shown = JSON.stringify(item[sortKey])
  throw new IsothermError(
    'rotation.time',
    `The sort key ${sortKey} of an item for ${table} is ${shown}; it must be ${expected} that rotation.time can read. Nothing was written.`,
    { table, attribute: sortKey },
  )
}
