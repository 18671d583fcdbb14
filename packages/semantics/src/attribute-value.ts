/**
 * A value with its DynamoDB type, in the shape of the AWS SDK v3: one member, named by the type. Binary values are
 * bytes here; base64 exists on the wire only.
 *
 * Numbers are text, because DynamoDB's 38 digits do not fit a JavaScript number. Inside the engine they are always
 * in canonical form (see `canonicalNumber`), so equal numbers are equal texts.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_AttributeValue.html
 */
export type AttributeValue =
  | { S: string }
  | { N: string }
  | { B: Uint8Array }
  | { BOOL: boolean }
  | { NULL: true }
  | { L: AttributeValue[] }
  | { M: Item }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: Uint8Array[] }

/** Attributes by name: an item, a key, or the content of a map. */
export type Item = { [name: string]: AttributeValue }

/** DynamoDB's own names for the ten types. */
export type AttributeType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'L' | 'M' | 'SS' | 'NS' | 'BS'

/** The types that a key attribute can have. */
export type KeyType = 'S' | 'N' | 'B'

/** A key attribute's value. */
export type KeyValue = { S: string } | { N: string } | { B: Uint8Array }
