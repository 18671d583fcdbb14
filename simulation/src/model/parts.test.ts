import { expect, it } from 'vitest'
import { Parts } from './parts.js'

it('parts have the same number if they hold the same, and only then', () => {
  const parts = new Parts()
  const copy = { value: 1, mark: undefined }
  const number = parts.numberOf(copy)
  expect(parts.numberOf(copy)).toBe(number)
  expect(parts.numberOf({ value: 1, mark: undefined })).toBe(number)
  const others = [{ value: 1, mark: 'a' }, { value: 2 }, [1], []].map((part) => parts.numberOf(part))
  expect(new Set([number, ...others]).size).toBe(5)
})
