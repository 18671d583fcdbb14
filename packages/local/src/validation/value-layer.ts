import { canonicalNumber, NUMBER_UNDERFLOW_TEXT, ValidationError } from '@isotherm/semantics'
import { invalidParameters, type ServiceError, validationException } from '../errors/service-error.js'
import type { WireBytes } from '../json/wire-bytes.js'
import { duplicateBytes, duplicateNumbers, duplicateTexts } from './duplicate-members.js'

/**
 * The service has two components that read attribute values. They differ in the exponents of numbers that they can
 * read, and in their error texts. The newer one reads the values of most operations; the older one those of
 * BatchWriteItem, Scan and PartiQL.
 */
export interface ValueLayer {
  /** Whether errors name the placeholder whose value is invalid. */
  readonly namesPlaceholders: boolean
  /** The canonical text of a number. @throws ServiceError */
  number(text: string): string
  duplicateTexts(members: readonly string[]): ServiceError
  duplicateNumbers(): ServiceError
  duplicateBytes(members: readonly WireBytes[]): ServiceError
}

export const VALUE_LAYER: ValueLayer = {
  namesPlaceholders: false,
  number: (text) => inServiceError(() => canonicalNumber(text)),
  duplicateTexts,
  duplicateNumbers,
  duplicateBytes,
}

/** The highest exponent that the older component can read. Its magnitude overflows into a negative number. */
const HIGHEST_OLDER_EXPONENT = 2_147_483_647

export const OLDER_VALUE_LAYER: ValueLayer = {
  namesPlaceholders: true,
  number(text) {
    const exponent = Math.abs(Number(/[eE]([+-]?\d+)$/.exec(text)?.[1] ?? 0))
    if (text === '') throw notNumeric('')
    if (exponent > HIGHEST_OLDER_EXPONENT) throw notNumeric(`: ${text}`)
    return inServiceError(
      () => canonicalNumber(text),
      () => exponent === HIGHEST_OLDER_EXPONENT,
    )
  },
  duplicateTexts: (members) =>
    invalidParameters(`Input collection [${members.join(', ')}] contains duplicates.`),
  duplicateNumbers: () => validationException('Input collection contains duplicates'),
  duplicateBytes: (members) => {
    const listed = members.map((member) => member.toJSON()).join(', ')
    return invalidParameters(`Input collection [${listed}]of type BS contains duplicates.`)
  },
}

function notNumeric(which: string): ServiceError {
  return validationException(`The parameter cannot be converted to a numeric value${which}`)
}

function inServiceError(read: () => string, overflowsTwice: () => boolean = () => false): string {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    const isUnderflow = error.code === 'number.overflow' && overflowsTwice()
    throw validationException(isUnderflow ? NUMBER_UNDERFLOW_TEXT : error.message)
  }
}
