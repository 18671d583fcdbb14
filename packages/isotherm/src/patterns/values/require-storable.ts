import {
  type AttributeValue,
  canonicalNumber,
  type Item,
  MAX_ATTRIBUTE_NAME_BYTES,
  MAX_CONTAINER_DEPTH,
  utf8Length,
} from '@isotherm/semantics'
import { unfitValue } from './unfit-value.js'

/**
 * Refuses attributes that DynamoDB would refuse. Where other things are written before an item, that would be too late.
 *
 * @param place begins the name of a value in errors
 * @throws IsothermError `pattern.value`
 */
export function requireStorable(place: string, item: Item): void {
  requireAttributes(place, item, 1)
}

function requireAttributes(place: string, attributes: Item, level: number): void {
  for (const [name, value] of Object.entries(attributes)) {
    const bytes = utf8Length(name)
    if (bytes === 0 || bytes > MAX_ATTRIBUTE_NAME_BYTES)
      throw unfitValue(
        place,
        name,
        `an object with a name of ${bytes} bytes`,
        `an object with names of 1 to ${MAX_ATTRIBUTE_NAME_BYTES} bytes`,
      )
    requireValue(`${place}.${name}`, value, level)
  }
}

function requireValue(place: string, value: AttributeValue, level: number): void {
  if (('M' in value || 'L' in value) && level > MAX_CONTAINER_DEPTH)
    throw unfitValue(
      place,
      value,
      `inside of ${MAX_CONTAINER_DEPTH} maps and lists`,
      `a value that is no map or list there`,
    )
  if ('M' in value) requireAttributes(place, value.M, level + 1)
  else if ('L' in value)
    for (const [at, member] of value.L.entries()) requireValue(`${place}[${at}]`, member, level + 1)
  else if ('N' in value) requireNumber(place, value.N)
  else if ('NS' in value) for (const member of value.NS) requireNumber(place, member)
}

function requireNumber(place: string, text: string): void {
  try {
    canonicalNumber(text)
  } catch {
    throw unfitValue(place, text, text, 'a number of at most 38 digits, from 1E-130 to 9.9E+125')
  }
}
