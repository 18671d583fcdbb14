import fc, { type Arbitrary } from 'fast-check'
import { weighted } from './weighted.js'

const DIGITS = '0123456789'.split('')

/** Few small numbers in several spellings, so that equal ones occur. */
const small = fc.constantFrom(
  '0',
  '1',
  '2',
  '3',
  '-1',
  '10',
  '1.5',
  '1.50',
  '1e1',
  '01',
  '+2',
  '-0',
  '0.0',
  '2E0',
)

/** Up to 38 digits at any power of ten in the range. */
const wide = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.constantFrom(...DIGITS.slice(1)),
    fc.string({ unit: fc.constantFrom(...DIGITS), maxLength: 37 }),
    fc.integer({ min: -130, max: 125 }),
  )
  .map(([sign, first, rest, power]) => `${sign}${first}${rest === '' ? '' : `.${rest}`}E${power}`)
  // The last digits of the smallest numbers would be below the range; DynamoDB checks the first digit only.
  .filter((text) => text.length > 0)

const fraction = fc
  .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: 0, max: 9999 }))
  .map(([whole, rest]) => `${whole}.${rest}`)

/** Numbers that DynamoDB accepts. */
export const numberText: Arbitrary<string> = weighted(
  [8, small],
  [2, fc.integer({ min: -50, max: 5000 }).map(String)],
  [1, fraction],
  [1, wide],
  [
    1,
    fc.constantFrom(
      '9.9999999999999999999999999999999999999E+125',
      '-9.9999999999999999999999999999999999999E+125',
      '1E-130',
      '-1E-130',
      '12345678901234567890123456789012345678',
      '0.00000000000000000000000000000000000001',
      '100000000000000000000000000000000000000000',
    ),
  ],
)

/** Invalid numbers, by their form, their size or their digits. */
export const wrongNumberText: Arbitrary<string> = fc.constantFrom(
  '',
  ' ',
  'abc',
  '1 2',
  '0x10',
  'NaN',
  'Infinity',
  '1e',
  'e1',
  '--1',
  '1.2.3',
  '1_000',
  '1,5',
  '٣',
  '1e126',
  '-1e126',
  '1e-131',
  '123456789012345678901234567890123456789',
  '1.23456789012345678901234567890123456789',
  '1e99999999999',
  ' 1',
  '1 ',
)
