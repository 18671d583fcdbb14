import { MAX_ATTRIBUTE_NAME_BYTES, utf8Length } from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'

/**
 * Checks that a name has at least one character and less than 64 KB.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
 * @throws ServiceError
 */
export function checkAttributeName(name: string): void {
  if (name === '') throw validationException('Empty attribute name')
  // A UTF-16 unit takes at most three bytes in UTF-8, so most names need not be measured.
  if (name.length * 3 > MAX_ATTRIBUTE_NAME_BYTES && utf8Length(name) > MAX_ATTRIBUTE_NAME_BYTES) {
    throw validationException(
      `One or more parameter values were invalid: Attribute name is too large, must be less than ${MAX_ATTRIBUTE_NAME_BYTES + 1} bytes`,
    )
  }
}
