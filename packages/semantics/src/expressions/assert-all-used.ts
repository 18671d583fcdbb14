import { ValidationError } from '../validation-error.js'
import type { Placeholders } from './placeholders.js'

/**
 * Checks that the expressions of a request use all of its placeholders. It is not a method, so that a bundle without
 * this check does not contain it.
 *
 * @throws ValidationError when a placeholder was defined and no expression used it.
 */
export function assertAllUsed(placeholders: Placeholders): void {
  const members = {
    ExpressionAttributeNames: placeholders.names,
    ExpressionAttributeValues: placeholders.values,
  }
  for (const [member, defined] of Object.entries(members)) {
    const unused = Object.keys(defined).filter((key) => !placeholders.isUsed(key))
    if (unused.length > 0) {
      throw new ValidationError(
        'expression.unused-placeholder',
        `Value provided in ${member} unused in expressions: keys: {${unused.join(', ')}}`,
      )
    }
  }
}
