import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ValidationError } from '../validation-error.js'
import { addNumbers, subtractNumbers } from './arithmetic.js'
import { canonicalNumber } from './canonical-number.js'
import { compareNumbers } from './compare-numbers.js'

/** A number as digits x 10^power; the tests compute with whole multiples of 10^-200. */
interface Scaled {
  readonly digits: bigint
  readonly power: number
}
const UNIT = 200
const scaled = fc
  .tuple(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), fc.integer({ min: -120, max: 80 }))
  .map(([digits, power]): Scaled => ({ digits, power }))
const small = fc
  .tuple(fc.bigInt({ min: -99_999n, max: 99_999n }), fc.integer({ min: -4, max: 4 }))
  .map(([digits, power]): Scaled => ({ digits, power }))
const any = fc.oneof(scaled, small)

// A double tells numbers of up to 15 digits apart, and only some of those with 16 or 17.
const digitsOfOne = fc.oneof(
  fc.bigInt({ min: 2n ** 53n, max: 10n ** 16n - 1n }),
  fc
    .oneof(fc.integer({ min: 1, max: 38 }), fc.integer({ min: 15, max: 18 }))
    .chain((digits) =>
      fc.bigInt({ min: digits === 1 ? 0n : 10n ** BigInt(digits - 1), max: 10n ** BigInt(digits) - 1n }),
    ),
)
/** Two numbers of up to 38 digits that differ by a few units of the last one, or not at all. */
const neighbours = fc
  .record({
    digits: digitsOfOne,
    difference: fc.bigInt({ min: -9n, max: 9n }),
    sign: fc.constantFrom(-1n, 1n),
    power: fc.oneof(fc.constant(0), fc.integer({ min: -20, max: 3 }), fc.integer({ min: -120, max: 80 })),
  })
  .filter(({ digits, difference }) => digits + difference < 10n ** 38n)
  .map(({ digits, difference, sign, power }): readonly [Scaled, Scaled] => [
    { digits: sign * digits, power },
    { digits: sign * (digits + difference), power },
  ])
const pair = fc.oneof(fc.tuple(any, any), neighbours)
const exact = ({ digits, power }: Scaled) => digits * 10n ** BigInt(power + UNIT)
const written = ({ digits, power }: Scaled) => `${digits}e${power}`

describe('a canonical number', () => {
  it('is the same for every way to write the number', () => {
    fc.assert(
      fc.property(any, fc.nat(5), fc.constantFrom('e', 'E', 'e+'), ({ digits, power }, zeros, sign) => {
        const canonical = canonicalNumber(`${digits}e${power}`)
        expect(canonicalNumber(`${digits}${'0'.repeat(zeros)}e${power - zeros}`)).toBe(canonical)
        if (power >= 0) expect(canonicalNumber(`${digits}${sign}${power}`)).toBe(canonical)
        expect(canonicalNumber(canonical)).toBe(canonical)
      }),
    )
  })

  it('comes of short texts exactly as of the same texts written long', () => {
    const short = fc.stringMatching(/^[+-]?[0-9.]{1,8}$/)
    const outcome = (text: string) => {
      try {
        return canonicalNumber(text)
      } catch (error) {
        return error instanceof ValidationError ? error.code : error
      }
    }
    fc.assert(
      // A zero exponent changes no number, but takes the slow path.
      fc.property(short, (text) => {
        expect(outcome(text)).toBe(outcome(`${text}e0`))
      }),
      { numRuns: 2000 },
    )
  })

  it('has neither exponent nor needless zeros', () => {
    fc.assert(
      fc.property(any, (number) => {
        expect(canonicalNumber(written(number))).toMatch(/^(0|-?([1-9]\d*|0)(\.\d*[1-9])?)$/)
      }),
    )
  })

  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['0.000e5', '0'],
    ['+5', '5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['007', '7'],
    ['1.50e2', '150'],
    ['0.0', '0'],
    ['-0.50', '-0.5'],
    ['00.5', '0.5'],
    ['1e00000000000005', '100000'],
    ['1e-130', `0.${'0'.repeat(129)}1`],
    // A zero has the magnitude of its last digit.
    ['0e125', '0'],
    ['0.0e126', '0'],
    ['0e-130', '0'],
    ['0.00e-128', '0'],
    ['10e-131', `0.${'0'.repeat(129)}1`],
    [`0.${'0'.repeat(40)}${'1'.repeat(38)}`, `0.${'0'.repeat(40)}${'1'.repeat(38)}`],
    ['9.9e125', `99${'0'.repeat(124)}`],
    ['-123456789012345678901234567890.12345678', '-123456789012345678901234567890.12345678'],
  ])('of %s is %s', (text, canonical) => {
    expect(canonicalNumber(text)).toBe(canonical)
  })

  it.each([
    ['abc', 'number.syntax', 'The parameter cannot be converted to a numeric value: abc'],
    ['', 'number.syntax', 'The parameter cannot be converted to a numeric value: '],
    ['1e', 'number.syntax', 'The parameter cannot be converted to a numeric value: 1e'],
    ['.', 'number.syntax', 'The parameter cannot be converted to a numeric value: .'],
    ['0x10', 'number.syntax', 'The parameter cannot be converted to a numeric value: 0x10'],
    ['Infinity', 'number.syntax', 'The parameter cannot be converted to a numeric value: Infinity'],
    [
      '1e126',
      'number.overflow',
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    ],
    [
      '-1e999999999',
      'number.overflow',
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    ],
    [
      '1e-131',
      'number.underflow',
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    ],
    [
      '1e9223372036854775808',
      'number.syntax',
      'The parameter cannot be converted to a numeric value: 1e9223372036854775808',
    ],
    [
      '1e9223372036854775807',
      'number.overflow',
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    ],
    [
      '1e+9223372036854775807',
      'number.overflow',
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    ],
    [
      '1e-9223372036854775808',
      'number.underflow',
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    ],
    [
      '1e-9223372036854775809',
      'number.syntax',
      'The parameter cannot be converted to a numeric value: 1e-9223372036854775809',
    ],
    [
      '0.0e-130',
      'number.underflow',
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    ],
    [
      '0e126',
      'number.overflow',
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    ],
    [
      '0e-131',
      'number.underflow',
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    ],
    [
      `${'1'.repeat(39)}e200`,
      'number.precision',
      'Attempting to store more than 38 significant digits in a Number',
    ],
    ['1'.repeat(39), 'number.precision', 'Attempting to store more than 38 significant digits in a Number'],
  ])('of %s is refused', (text, code, message) => {
    const refusal = expect(() => canonicalNumber(text))
    refusal.toThrow(ValidationError)
    refusal.toThrow(expect.objectContaining({ code, message }))
  })
})

describe('the order of numbers', () => {
  it.each([
    ['9007199254740992', '9007199254740993'],
    ['900719925474099.2', '900719925474099.3'],
    ['-9007199254740993', '-9007199254740992'],
    ['12345678901234567890123456789012345678', '12345678901234567890123456789012345679'],
    ['0.12345678901234567890123456789012345678', '0.12345678901234567890123456789012345679'],
  ])('is that of the last digit in %s and %s', (lower, higher) => {
    expect(compareNumbers(lower, higher)).toBeLessThan(0)
    expect(compareNumbers(higher, lower)).toBeGreaterThan(0)
    expect(compareNumbers(lower, lower)).toBe(0)
  })

  it('is exact, to 38 digits', () => {
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const [left, right] = [exact(a), exact(b)]
        const order = left === right ? 0 : left < right ? -1 : 1
        expect(Math.sign(compareNumbers(canonicalNumber(written(a)), canonicalNumber(written(b))))).toBe(
          order,
        )
      }),
      { numRuns: 3000 },
    )
  })
})

describe('arithmetic', () => {
  const check = (result: () => string, wanted: bigint) => {
    const digits = wanted.toString().replace('-', '').replace(/0+$/, '')
    if (digits.length > 38) {
      expect(result).toThrow('Number overflow')
      return
    }
    expect(result()).toBe(wanted === 0n ? '0' : canonicalNumber(`${wanted}e-${UNIT}`))
  }

  it('adds and subtracts exactly, or says that the result does not fit', () => {
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const [left, right] = [canonicalNumber(written(a)), canonicalNumber(written(b))]
        check(() => addNumbers(left, right), exact(a) + exact(b))
        check(() => subtractNumbers(left, right), exact(a) - exact(b))
      }),
      { numRuns: 1000 },
    )
  })

  it('has 38 digits at most, and the magnitude of a number', () => {
    const nines = '9'.repeat(38)
    expect(addNumbers(nines, '1')).toBe(`1${'0'.repeat(38)}`)
    expect(addNumbers(`${'9'.repeat(37)}8`, '1')).toBe(nines)
    expect(() => addNumbers(nines, '0.1')).toThrow('Number overflow')
    expect(() => addNumbers(`1${'0'.repeat(37)}`, '0.1')).toThrow('Number overflow')
    const highest = `${nines}${'0'.repeat(88)}`
    expect(addNumbers(highest, '0')).toBe(highest)
    expect(() => addNumbers(highest, `1${'0'.repeat(88)}`)).toThrow('Number overflow')
    const lowest = `0.${'0'.repeat(129)}1`
    expect(subtractNumbers(lowest, lowest)).toBe('0')
    expect(subtractNumbers('0', lowest)).toBe(`-${lowest}`)
    expect(addNumbers('999999999999999', '1')).toBe('1000000000000000')
    expect(addNumbers('9007199254740991', '2')).toBe('9007199254740993')
  })

  it('has no minus zero, and does what floating point cannot', () => {
    expect(subtractNumbers('5', '5')).toBe('0')
    expect(addNumbers('0.1', '0.2')).toBe('0.3')
    expect(addNumbers('9007199254740993', '1')).toBe('9007199254740994')
  })
})
