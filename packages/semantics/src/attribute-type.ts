import type { AttributeType, AttributeValue } from './attribute-value.js'

/** DynamoDB's ten types, by its own names. */
export const ATTRIBUTE_TYPES: readonly AttributeType[] = [
  'S',
  'N',
  'B',
  'BOOL',
  'NULL',
  'L',
  'M',
  'SS',
  'NS',
  'BS',
]

/** Which of the ten types a value has. */
export function attributeType(value: AttributeValue): AttributeType {
  for (const type in value) return type as AttributeType
  throw new TypeError('An attribute value must have a member, named by its type.')
}
