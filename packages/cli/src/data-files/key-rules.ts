import type { AttributeValue, TableDescription } from '@aws-sdk/client-dynamodb'
import { canonicalNumber, ValidationError } from '@isotherm/semantics'
import type { Item } from './read-items.js'

/** A key attribute of a table or of one of its indexes. */
interface KeyRule {
  readonly name: string
  readonly type: string
  /** Such as `the partition key (S) of orders`. */
  readonly role: string
  /** An item may lack the key of an index. */
  readonly isRequired: boolean
}

/** How every item of a table begins: what its keys must be. */
export interface KeyRules {
  /** The types of the keys, by the names of their attributes. */
  readonly types: ReadonlyMap<string, string>
  /** What is wrong with the key of an item, to follow its place in a file; `undefined` if nothing is. */
  problemOf(item: Item): string | undefined
  /** The same text for items that replace each other, and for no others: `1` and `1.0` are one number. */
  keyOf(item: Item): string
}

/** As wide as the service reads it. Which numbers fit into an item is its own decision. */
const NUMBER = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i
const SHOWN = 60

/** The service refuses a whole batch for one item without its key, and does not say which. */
export function keyRulesOf(table: string, description: TableDescription | undefined): KeyRules {
  const { AttributeDefinitions = [], KeySchema = [] } = description ?? {}
  const rules = AttributeDefinitions.map(
    ({ AttributeName: name = '', AttributeType: type = 'S' }): KeyRule => {
      const kind = KeySchema.find(({ AttributeName }) => AttributeName === name)?.KeyType
      const role =
        kind === 'HASH' ? 'the partition key' : kind === 'RANGE' ? 'the sort key' : 'a key of an index'
      return { name, type, role: `${role} (${type}) of ${table}`, isRequired: kind !== undefined }
    },
  )
  return {
    types: new Map(rules.map(({ name, type }) => [name, type])),
    problemOf: (item) => {
      for (const rule of rules) {
        const problem = problemWith(Object.hasOwn(item, rule.name) ? item[rule.name] : undefined, rule)
        if (problem !== undefined) return problem
      }
      return undefined
    },
    keyOf: (item) => JSON.stringify(KeySchema.map(({ AttributeName = '' }) => keyValue(item[AttributeName]))),
  }
}

function keyValue({ S, N, B }: Partial<AttributeValue> = {}): string | undefined {
  if (N !== undefined) return oneTextOf(N.trim())
  return S ?? (B && Buffer.from(B).toString('base64'))
}

/** A number that no item can have is left to the service, which refuses it. */
function oneTextOf(number: string): string {
  try {
    return canonicalNumber(number)
  } catch (error) {
    if (error instanceof ValidationError) return number
    throw error
  }
}

function problemWith(
  value: AttributeValue | undefined,
  { name, type, role, isRequired }: KeyRule,
): string | undefined {
  if (value === undefined) return isRequired ? `the item has no ${name}, which is ${role}` : undefined
  const [[has, content] = ['', undefined]] = Object.entries(value)
  if (has !== type) return `${name} is of type ${has}; it must be of type ${type}, as it is ${role}`
  if (type === 'N') {
    return NUMBER.test(String(content))
      ? undefined
      : `${name} is '${String(content).slice(0, SHOWN)}'; it must be a number, as it is ${role}`
  }
  return content?.length === 0 ? `${name} is empty; it must not be, as it is ${role}` : undefined
}
