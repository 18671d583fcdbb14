import type { Item } from '@isotherm/semantics'
import { invalidOption, refuseUnknown, requireObject } from '../../options/check.js'
import type { StoredItem } from '../read-items.js'
import { requireStorable } from '../values/require-storable.js'
import { toAttributeValue } from '../values/to-attribute-value.js'
import type { DirectoryDefinition } from './model/define-directory.js'
import { MAX_CREATED_AT } from './model/position.js'

/** Text of a field. A whole item of DynamoDB takes 400 KB. */
const MAX_TEXT = 10_000

/**
 * The values of a new item, or those of a change over the values that are there.
 *
 * @throws IsothermError `options.invalid`, `options.unknown`, `pattern.value`
 */
export function parseFields(
  { fields }: DirectoryDefinition,
  place: string,
  given: unknown,
  before: StoredItem = {},
): StoredItem {
  const values: Readonly<Record<string, unknown>> = { ...requireObject(place, given, 'an object of fields') }
  refuseUnknown(
    place,
    values,
    fields.map(({ name }) => name),
  )
  const parsed: Record<string, StoredItem[string]> = { ...before }
  for (const { name, isText, isRequired } of fields) {
    // Otherwise a field with a name such as `constructor` would have the value of all objects.
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    const path = `${place}.${name}`
    if (value === null && !isRequired) delete parsed[name]
    else if (value === undefined || value === null) {
      if (isRequired && !Object.hasOwn(parsed, name))
        throw invalidOption(path, value, 'given: the field is required')
      if (value === null) throw invalidOption(path, value, 'a value: the field is required')
    } else if (isText && !isFittingText(value)) {
      throw invalidOption(path, value, `text of 1 to ${MAX_TEXT} characters`)
    } else parsed[name] = toAttributeValue(path, value) as StoredItem[string]
  }
  requireStorable(place, parsed as Item)
  return parsed
}

/** @throws IsothermError `options.invalid` */
export function parseCreatedAt(place: string, value: unknown): number {
  const milliseconds = value instanceof Date ? value.getTime() : value
  const fits = typeof milliseconds === 'number' && Number.isInteger(milliseconds)
  if (fits && milliseconds >= 0 && milliseconds <= MAX_CREATED_AT) return milliseconds
  throw invalidOption(place, value, 'a Date, or whole milliseconds since the Unix epoch')
}

function isFittingText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT && !/\p{Cs}/u.test(value)
}
