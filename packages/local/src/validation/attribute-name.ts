import { MAX_ATTRIBUTE_NAME_BYTES, utf8Length } from '@isotherm/semantics'
import { validationException } from '../wire/service-error.js'

/**
 * A name has at least one character, and less than 64 KB.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
 * @throws ServiceError
 */
export function checkAttributeName(name: string): void {
  if (name === '') throw validationException('Empty attribute name')
  // No character takes more than three bytes for each unit of its text, so most names need not be measured.
  if (name.length * 3 > MAX_ATTRIBUTE_NAME_BYTES && utf8Length(name) > MAX_ATTRIBUTE_NAME_BYTES) {
    throw validationException(
      `One or more parameter values were invalid: Attribute name is too large, must be less than ${MAX_ATTRIBUTE_NAME_BYTES + 1} bytes`,
    )
  }
}
