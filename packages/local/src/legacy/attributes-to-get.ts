import { type Projection, projectionOf } from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import { checkAttributeName } from '../validation/attribute-name.js'
import type { Shape } from '../validation/shape.js'

export const ATTRIBUTES_TO_GET = {
  type: 'list',
  of: { type: 'string' },
  length: { min: 1 },
} as const satisfies Shape

/**
 * AttributesToGet as a projection: of whole top-level attributes, whose names are taken as they are.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.AttributesToGet.html
 * @throws ServiceError for a name that is there twice.
 */
export function attributesProjection(names: readonly string[] | undefined): Projection | undefined {
  if (names === undefined) return undefined
  const known = new Set<string>()
  for (const name of names) {
    checkAttributeName(name)
    if (known.has(name)) {
      throw validationException(
        `One or more parameter values were invalid: Duplicate value in attribute name: ${name}`,
      )
    }
    known.add(name)
  }
  return projectionOf(names.map((name) => [name]))
}
