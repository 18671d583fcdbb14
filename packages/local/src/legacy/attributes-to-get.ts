import { type Projection, projectionOf } from '@isotherm/semantics'
import { invalidParameters } from '../errors/service-error.js'
import { checkAttributeName } from '../validation/attribute-name.js'
import type { Shape } from '../validation/shape.js'

/** No item has as many attributes. A request of 16 MB could list a million. */
const MAX_NAMES = 100_000

export const ATTRIBUTES_TO_GET = {
  type: 'list',
  of: { type: 'string' },
  length: { min: 1, max: MAX_NAMES },
} as const satisfies Shape

/**
 * Converts AttributesToGet to a projection of whole top-level attributes. A dot in a name has no special meaning.
 *
 * Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.AttributesToGet.html
 * @throws ServiceError for a duplicate name.
 */
export function attributesProjection(names: readonly string[] | undefined): Projection | undefined {
  if (names === undefined) return undefined
  const known = new Set<string>()
  for (const name of names) {
    checkAttributeName(name)
    if (known.has(name)) {
      throw invalidParameters(`Duplicate value in attribute name: ${name}`)
    }
    known.add(name)
  }
  return projectionOf(names.map((name) => [name]))
}
