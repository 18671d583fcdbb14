import { MAX_ATTRIBUTE_NAME_BYTES } from '../limits.js'

/** The service's sentences about attribute values and names. */

export const NO_DATATYPE_TEXT =
  'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes'
export const SEVERAL_DATATYPES_TEXT =
  'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes'
export const TOO_NESTED_TEXT = 'Nesting Levels have exceeded supported limits'

export const NUMBER_OVERFLOW_TEXT =
  'Number overflow. Attempting to store a number with magnitude larger than supported range'
export const NUMBER_UNDERFLOW_TEXT =
  'Number underflow. Attempting to store a number with magnitude smaller than supported range'

/** For a text that is not a number. An empty one leaves a blank at the end. */
export function notNumericText(text: string): string {
  return `The parameter cannot be converted to a numeric value: ${text}`
}

export function longNameText(): string {
  return `Attribute name is too large, must be less than ${MAX_ATTRIBUTE_NAME_BYTES + 1} bytes`
}
