import {
  MAX_CLIENT_REQUEST_TOKEN_LENGTH,
  MAX_TABLE_NAME_LENGTH,
  MAX_TRANSACTION_ACTIONS,
  MIN_TABLE_NAME_LENGTH,
} from '@isotherm/semantics'
import type { Shape, StructureShape } from './shape.js'

/** Members that many operations share, each declared once. */

/** The name of a new table, or of an index. */
export const TABLE_NAME = {
  type: 'string',
  length: { min: MIN_TABLE_NAME_LENGTH, max: MAX_TABLE_NAME_LENGTH },
  pattern: /^[a-zA-Z0-9_.-]+$/,
} as const satisfies Shape

/** An existing table, by its name or its ARN. */
export const TABLE = { ...TABLE_NAME, orTableArn: true } as const satisfies Shape

export const ITEM = { type: 'map', of: { type: 'attribute-value' } } as const satisfies Shape

export const NAMES = { type: 'map', of: { type: 'string' } } as const satisfies Shape

export const EXPRESSION = { type: 'string' } as const satisfies Shape

export const RETURN_CONSUMED_CAPACITY = {
  type: 'string',
  oneOf: ['INDEXES', 'TOTAL', 'NONE'],
} as const satisfies Shape

export const RETURN_ON_FAILURE = { type: 'string', oneOf: ['ALL_OLD', 'NONE'] } as const satisfies Shape

export const RETURN_COLLECTION_METRICS = { type: 'string', oneOf: ['SIZE', 'NONE'] } as const satisfies Shape

export const CLIENT_REQUEST_TOKEN = {
  type: 'string',
  newWording: true,
  length: { min: 1, max: MAX_CLIENT_REQUEST_TOKEN_LENGTH },
} as const satisfies Shape

/** The list of a transaction's actions, each with these members. */
export function transactionList(members: StructureShape['members']) {
  return {
    type: 'list',
    required: true,
    newWording: true,
    length: { min: 1, max: MAX_TRANSACTION_ACTIONS },
    of: { type: 'structure', members },
  } as const satisfies Shape & { readonly required: true }
}
