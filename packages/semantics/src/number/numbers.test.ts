import { describe, expect, it } from 'vitest'
import { addNumbers, subtractNumbers } from './arithmetic.js'
import { canonicalNumber } from './canonical-number.js'
import { compareDecimals } from './compare-numbers.js'
import { parseDecimal } from './decimal.js'
import { neighbourNumber } from './neighbour-number.js'

describe('two numbers that were parsed', () => {
  it('are equal however they are written', () => {
    const order = (a: string, b: string) => compareDecimals(parseDecimal(a), parseDecimal(b))
    expect(order('1.50', '15e-1')).toBe(0)
    expect(order('0', '-0.00')).toBe(0)
    expect(order('-12', '-1.2e1')).toBe(-0)
  })
})

describe('zero', () => {
  it('has no digits and no sign, however it is written', () => {
    for (const text of ['0', '-0', '0.00', '-0e5', '+.0']) {
      expect(parseDecimal(text)).toEqual({ negative: false, digits: '', exponent: 0 })
    }
  })

  it('is the difference of equal numbers, also of the smallest ones with many digits', () => {
    const smallest = canonicalNumber('1.2345e-130')
    expect(subtractNumbers(smallest, smallest)).toBe('0')
    expect(addNumbers('-7', '7')).toBe('0')
    expect(subtractNumbers('0', '0')).toBe('0')
  })
})

describe('the next number', () => {
  const NINES = '9'.repeat(38)

  it.each([
    ['1', 1, `1.${'0'.repeat(36)}1`],
    ['1', -1, `0.${NINES}`],
    ['-1', 1, `-0.${NINES}`],
    ['-1', -1, `-1.${'0'.repeat(36)}1`],
    ['0.5', 1, `0.5${'0'.repeat(36)}1`],
    ['12', -1, `11.${'9'.repeat(36)}`],
    [NINES, 1, `1${'0'.repeat(38)}`],
  ] as const)('after or before %s, %i, has 38 digits at most', (text, direction, next) => {
    expect(neighbourNumber(text, direction)).toBe(next)
  })

  it('to zero is the smallest one, and that to the smallest one is zero', () => {
    const smallest = canonicalNumber('1e-130')
    expect(neighbourNumber('0', 1)).toBe(smallest)
    expect(neighbourNumber('0', -1)).toBe(`-${smallest}`)
    expect(neighbourNumber(smallest, -1)).toBe('0')
    expect(neighbourNumber(`-${smallest}`, 1)).toBe('0')
  })

  it('is missing after the largest and before the lowest one, and there for all others', () => {
    const largest = canonicalNumber(`${NINES}e88`)
    expect(neighbourNumber(largest, 1)).toBeUndefined()
    expect(neighbourNumber(`-${largest}`, -1)).toBeUndefined()
    expect(neighbourNumber('1e125', 1)).toBe(canonicalNumber(`1${'0'.repeat(36)}1e88`))
    expect(neighbourNumber(largest, -1)).toBe(canonicalNumber(`${'9'.repeat(37)}8e88`))
  })
})
