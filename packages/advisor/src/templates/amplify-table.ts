import { isPlainObject, type Plain, type PlainObject } from './plain.js'

/** The tables of Amplify's data models, which a custom resource makes. */
export const AMPLIFY_TABLE = 'Custom::AmplifyDynamoDBTable'

/**
 * The properties of Amplify's table as CreateTable names them. They are the same members, with a small first letter.
 *
 * @example
 * // { keySchema: [{ attributeName: 'id', keyType: 'HASH' }] } becomes
 * // { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] }
 */
export function amplifyTable(properties: PlainObject): PlainObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [capitalised(name), withCapitals(value)]),
  )
}

function withCapitals(value: Plain): Plain {
  if (Array.isArray(value)) return value.map(withCapitals)
  return isPlainObject(value) ? amplifyTable(value) : value
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
