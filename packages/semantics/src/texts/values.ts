import { MAX_ATTRIBUTE_NAME_BYTES } from '../limits.js'

/** The service's sentences about attribute values and names. */

export const NO_DATATYPE_TEXT =
  'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes'
export const SEVERAL_DATATYPES_TEXT =
  'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes'
export const TOO_NESTED_TEXT = 'Nesting Levels have exceeded supported limits'

export function longNameText(): string {
  return `Attribute name is too large, must be less than ${MAX_ATTRIBUTE_NAME_BYTES + 1} bytes`
}
