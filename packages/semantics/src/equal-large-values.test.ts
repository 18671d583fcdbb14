import { describe, expect, it, vi } from 'vitest'
import { equalOnce } from './equal-large-values.js'

const members = (count: number) => Array.from({ length: count }, (_, number) => String(number))

describe('the members of two values', () => {
  it.each([true, false])('are compared once if there are many, with the result %s', (isEqual) => {
    const [one, other] = [members(64), members(64)]
    const compare = vi.fn(() => isEqual)
    for (let round = 0; round < 3; round++) expect(equalOnce(one, other, compare)).toBe(isEqual)
    expect(compare).toHaveBeenCalledOnce()
  })

  it('are compared each time if there are few', () => {
    const [one, other] = [members(63), members(63)]
    const compare = vi.fn(() => true)
    for (let round = 0; round < 3; round++) expect(equalOnce(one, other, compare)).toBe(true)
    expect(compare).toHaveBeenCalledTimes(3)
  })

  it('have a result of their own with each other value', () => {
    const [one, equal, other] = [members(64), members(64), members(65)]
    for (let round = 0; round < 2; round++) {
      expect(equalOnce(one, equal, () => true)).toBe(true)
      expect(equalOnce(one, other, () => false)).toBe(false)
    }
  })
})
