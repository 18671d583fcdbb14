import { longNameText, MAX_ATTRIBUTE_NAME_BYTES, utf8Length } from '@isotherm/semantics'
import { invalidParameters, validationException } from '../errors/service-error.js'

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
    throw invalidParameters(longNameText())
  }
}
