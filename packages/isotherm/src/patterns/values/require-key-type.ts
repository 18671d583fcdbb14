import type { AttributeValue } from '@isotherm/semantics'
import { unfitValue } from './unfit-value.js'

/**
 * Refuses a key that its table cannot have.
 *
 * @param type the type of the key attribute, as tables declare it: `S`, `N` or `B`
 * @throws IsothermError `pattern.value`
 */
export function requireKeyType(place: string, value: AttributeValue, type: string, table: string): void {
  if (type in value) return
  throw unfitValue(
    place,
    value,
    `of type ${Object.keys(value)[0]}`,
    `of type ${type}, as in the table ${table}`,
  )
}
