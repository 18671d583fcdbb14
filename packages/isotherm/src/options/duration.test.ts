import { describe, expect, it } from 'vitest'
import { IsothermError } from '../errors/isotherm-error.js'
import { parseDuration } from './duration.js'

const YEARS = 1_000 * 365.25 * 24 * 3_600_000

describe('a duration', () => {
  it.each([
    [YEARS, YEARS],
    ['8766000h', YEARS],
  ])('can have 1,000 years: %s', (value, milliseconds) => {
    expect(parseDuration('cooldown', value)).toBe(milliseconds)
  })

  it.each([
    [YEARS + 1, '31557600000001'],
    [1e22, '1e+22'],
    ['8766001h', '"8766001h"'],
    [5n, '5n'],
    [() => 5, 'a function'],
    [Symbol('5'), 'Symbol(5)'],
    [{ self: 5n }, '[object Object]'],
  ])('cannot be %s', (value, shown) => {
    const message = `cooldown is ${shown}; it must be a duration such as '60s', '500ms' or '5m', or a number of milliseconds from 0 up, and at most 1,000 years.`
    expect(() => parseDuration('cooldown', value)).toThrow(message)
    expect(() => parseDuration('cooldown', value)).toThrow(IsothermError)
  })
})
