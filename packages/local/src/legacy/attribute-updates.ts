import {
  type AttributeType,
  type AttributeValue,
  applyUpdate,
  attributeType,
  type BoundUpdate,
  type DocumentPath,
  type Item,
  ValidationError,
} from '@isotherm/semantics'
import { invalidParameters, validationException } from '../errors/service-error.js'
import { checkAttributeName } from '../validation/attribute-name.js'
import { decodeValue } from '../validation/decode-item.js'
import type { Shape } from '../validation/shape.js'
import { MOST_LEGACY_MEMBERS } from './legacy-limits.js'

/** The change of each attribute. */
export interface AttributeUpdates {
  readonly [attribute: string]: { readonly Action?: 'ADD' | 'DELETE' | 'PUT'; readonly Value?: unknown }
}

export const ATTRIBUTE_UPDATES = {
  type: 'map',
  most: MOST_LEGACY_MEMBERS,
  of: {
    type: 'structure',
    members: {
      Action: { type: 'string', oneOf: ['ADD', 'DELETE', 'PUT'] },
      Value: { type: 'attribute-value' },
    },
  },
} as const satisfies Shape

const SETS: readonly AttributeType[] = ['SS', 'NS', 'BS']
/** The types that ADD accepts. Unlike ADD in an expression, this one also appends to lists. */
const ADDABLE: readonly AttributeType[] = ['N', 'L', ...SETS]

/**
 * Converts AttributeUpdates to the update of an equivalent UpdateExpression. Without an Action, a value is put.
 *
 * Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.AttributeUpdates.html
 * @throws ServiceError
 */
export function boundUpdates(updates: AttributeUpdates): BoundUpdate {
  const set: { path: DocumentPath; value: { kind: 'value'; value: AttributeValue } }[] = []
  const remove: DocumentPath[] = []
  const add: { path: DocumentPath; value: AttributeValue }[] = []
  const taken: { path: DocumentPath; value: AttributeValue }[] = []
  for (const [attribute, { Action: action = 'PUT', Value }] of Object.entries(updates)) {
    checkAttributeName(attribute)
    const path: DocumentPath = [attribute]
    if (Value === undefined) {
      if (action !== 'DELETE') {
        throw invalidParameters('Only DELETE action is allowed when no attribute value is specified')
      }
      remove.push(path)
      continue
    }
    const value = decodeValue(Value)
    if (action === 'PUT') set.push({ path, value: { kind: 'value', value } })
    else if (action === 'ADD') add.push({ path, value: ofType(value, ADDABLE, 'ADD action') })
    else taken.push({ path, value: ofType(value, SETS, 'DELETE action with value') })
  }
  const touched = Object.keys(updates).map((attribute): DocumentPath => [attribute])
  return { set, remove, add, delete: taken, touched }
}

/** Like `applyUpdate`, with the error text of legacy parameters. @throws ServiceError */
export function applyAttributeUpdates(update: BoundUpdate, before: Item, options: { isNew: boolean }): Item {
  try {
    return applyUpdate(update, before, options)
  } catch (error) {
    if (error instanceof ValidationError && error.code === 'update.operand-type') {
      throw validationException('Type mismatch for attribute to update')
    }
    throw error
  }
}

function ofType(value: AttributeValue, allowed: readonly AttributeType[], what: string): AttributeValue {
  const type = attributeType(value)
  if (allowed.includes(type)) return value
  throw invalidParameters(`${what} is not supported for the type ${type}`)
}
