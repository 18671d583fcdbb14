import { MAX_KEY_NAME_BYTES } from '@isotherm/semantics'
import { invalidParameters, validationException } from '../errors/service-error.js'
import type { KeyAttribute, KeySchema } from '../table/table-definition.js'
import { firstRepeated } from './first-repeated.js'
import type { Shape } from './shape.js'

/** Keys in the form of requests. */
export interface KeySchemaElement {
  readonly AttributeName: string
  readonly KeyType: 'HASH' | 'RANGE'
}
export interface AttributeDefinitionInput {
  readonly AttributeName: string
  readonly AttributeType: 'S' | 'N' | 'B'
}

/**
 * The maximum number of attributes in each half of a global index's key. Documented:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html
 */
const MAX_KEY_ATTRIBUTES = 4

export const KEY_NAME = {
  type: 'string',
  length: { min: 1, max: MAX_KEY_NAME_BYTES },
} as const satisfies Shape

export const ATTRIBUTE_DEFINITIONS = {
  type: 'list',
  of: {
    type: 'structure',
    members: {
      AttributeName: { ...KEY_NAME, required: true },
      AttributeType: { type: 'string', required: true, oneOf: ['B', 'N', 'S'] },
    },
  },
} as const satisfies Shape

const KEY_SCHEMA_ELEMENT = {
  type: 'structure',
  members: {
    AttributeName: { ...KEY_NAME, required: true },
    KeyType: { type: 'string', required: true, oneOf: ['HASH', 'RANGE'] },
  },
} as const satisfies Shape

export const KEY_SCHEMA = {
  type: 'list',
  length: { min: 1, max: 2 },
  of: KEY_SCHEMA_ELEMENT,
  printed: keySchemaEcho,
} as const satisfies Shape

export const GLOBAL_KEY_SCHEMA = {
  type: 'list',
  length: { min: 1, max: 2 * MAX_KEY_ATTRIBUTES },
  of: KEY_SCHEMA_ELEMENT,
} as const satisfies Shape

/** A request can have hundreds of thousands of elements. */
const MAX_ELEMENTS_PRINTED = 100

/** A key schema as the service prints it: as Java objects. */
function keySchemaEcho(elements: readonly unknown[]): string {
  const printed = elements.slice(0, MAX_ELEMENTS_PRINTED) as readonly Partial<KeySchemaElement>[]
  const texts = printed.map(
    ({ AttributeName: name = null, KeyType: type = null }) =>
      `KeySchemaElement(attributeName=${name}, keyType=${type})`,
  )
  return `[${texts.join(', ')}${printed.length < elements.length ? ', ...' : ''}]`
}

export function keyAttributes(inputs: readonly AttributeDefinitionInput[]): readonly KeyAttribute[] {
  return inputs.map(({ AttributeName, AttributeType }) => ({ name: AttributeName, type: AttributeType }))
}

/** The key of a table or of a local index: a partition key, and optionally a sort key. @throws ServiceError */
export function keySchema(
  elements: readonly KeySchemaElement[],
  attributes: readonly KeyAttribute[],
): KeySchema {
  const [first, second] = elements
  if (first?.KeyType !== 'HASH') throw firstIsNotHash()
  if (second !== undefined && second.KeyType !== 'RANGE') {
    throw validationException('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type')
  }
  if (second?.AttributeName === first.AttributeName) {
    throw validationException('Invalid KeySchema: Some index key attribute have no definition')
  }
  return named(elements, attributes)
}

/** The key of a global index: up to four attributes for each half. @throws ServiceError */
export function globalKeySchema(
  elements: readonly KeySchemaElement[],
  attributes: readonly KeyAttribute[],
): KeySchema {
  if (elements.length <= 2 && elements[1]?.KeyType !== 'HASH') return keySchema(elements, attributes)
  if (elements[0]?.KeyType !== 'HASH') throw firstIsNotHash()
  const types = elements.map(({ KeyType }) => KeyType)
  if (types.lastIndexOf('HASH') > types.indexOf('RANGE') && types.includes('RANGE')) {
    throw invalidParameters('All HASH key attributes must precede RANGE key attributes in the KeySchema')
  }
  for (const type of ['HASH', 'RANGE'] as const) {
    const count = types.filter((each) => each === type).length
    if (count > MAX_KEY_ATTRIBUTES) {
      throw invalidParameters(`The KeySchema exceeds the maximum allowed number of ${type} key attributes`)
    }
  }
  const names = elements.map(({ AttributeName }) => AttributeName)
  if (firstRepeated(names) !== undefined) {
    throw validationException('The KeySchema contains multiple key attributes with the same name')
  }
  return named(elements, attributes)
}

/** The keys of a table, five local indexes and twenty global ones have fewer attributes. A request could define 200,000. */
const MAX_DEFINITIONS = 500
const UNUSED_DEFINITIONS_TEXT =
  'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions'

/** Checks that the declared attributes are exactly the key attributes. @throws ServiceError */
export function checkAttributesFitKeys(
  attributes: readonly KeyAttribute[],
  schemas: readonly (readonly KeySchemaElement[])[],
): void {
  if (attributes.length > MAX_DEFINITIONS) throw invalidParameters(UNUSED_DEFINITIONS_TEXT)
  const declared = attributes.map(({ name }) => name)
  const twice = firstRepeated(declared)
  if (twice !== undefined) {
    throw validationException(`Attribute Name is duplicated: ${twice}`)
  }
  const used = [...new Set(schemas.flat().map(({ AttributeName }) => AttributeName))]
  const known = new Set(declared)
  const undeclared = used.filter((name) => !known.has(name))
  if (undeclared.length > 0) {
    throw invalidParameters(
      `Some index key attributes are not defined in AttributeDefinitions. Keys: [${undeclared.join(', ')}], AttributeDefinitions: [${declared.join(', ')}]`,
    )
  }
  if (declared.length === used.length) return
  throw invalidParameters(
    schemas.length === 1
      ? UNUSED_DEFINITIONS_TEXT
      : `Some AttributeDefinitions are not used. AttributeDefinitions: [${declared.join(', ')}], keys used: [${used.join(', ')}]`,
  )
}

function named(elements: readonly KeySchemaElement[], attributes: readonly KeyAttribute[]): KeySchema {
  const ofType = (type: 'HASH' | 'RANGE') =>
    elements
      .filter(({ KeyType }) => KeyType === type)
      .flatMap(({ AttributeName }) => attributes.filter(({ name }) => name === AttributeName))
  return { hash: ofType('HASH'), range: ofType('RANGE') }
}

function firstIsNotHash() {
  return validationException('Invalid KeySchema: The first KeySchemaElement is not a HASH key type')
}
