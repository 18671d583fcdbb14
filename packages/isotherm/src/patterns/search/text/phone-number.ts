import { invalidOption, refuseUnknown, requireObject } from '../../../options/check.js'
import type { Normalizer } from './normalizer.js'

/** How numbers of one country are written at home. */
export interface PhoneCountry {
  /** The digits behind `+`, such as `'81'`. */
  readonly country: string
  /** The digits that take their place at home. The default is `'0'`. Pass `''` for countries without them, such as the United States. */
  readonly trunk?: string | undefined
}

/** Words that people write beside a number. */
const LABELS = /(?:tel|phone|fax|mobile|ext|電話|携帯|x)[.:\s]*/g

/**
 * Makes a normalizer that keeps the digits of a phone number. A number in the international form of `country` becomes the national one, so
 * that both forms find each other. A text with other letters is no number, and becomes empty.
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example
 * const japanese = phoneNumber({ country: '81' })
 * japanese('+81 (0)3-1234-5678') // '0312345678'
 */
export function phoneNumber(home?: PhoneCountry): Normalizer {
  requireCountry(home)
  return (text) => {
    const plain = text.normalize('NFKC').toLowerCase().replace(LABELS, ' ').trim()
    if (/\p{L}/u.test(plain)) return ''
    const digits = plain.replace(/\D/g, '')
    if (home === undefined || !plain.startsWith('+')) return digits
    const { country, trunk = '0' } = home
    if (!digits.startsWith(country)) return digits
    const rest = digits.slice(country.length)
    return rest === '' || rest.startsWith(trunk) ? rest : trunk + rest
  }
}

function requireCountry(home: PhoneCountry | undefined): void {
  if (home === undefined) return
  const { country, trunk } = requireObject(
    'phoneNumber',
    home,
    "an object such as { country: '81' }",
  ) as PhoneCountry
  refuseUnknown('phoneNumber', home, ['country', 'trunk'])
  if (typeof country !== 'string' || !/^[1-9]\d{0,2}$/.test(country))
    throw invalidOption('phoneNumber.country', country, "the digits behind the +, such as '81'")
  if (trunk !== undefined && !(typeof trunk === 'string' && /^\d*$/.test(trunk)))
    throw invalidOption('phoneNumber.trunk', trunk, "digits, such as '0', or ''")
}
