import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { containsBytes, containsText } from './contains-text.js'

const filler = (length: number) => 'a'.repeat(length)

describe('containsText', () => {
  it('finds what native search finds, in long texts of few letters', () => {
    const letters = fc.array(fc.constantFrom('a', 'b'), { maxLength: 12 }).map((each) => each.join(''))
    fc.assert(
      fc.property(letters, letters, letters, (before, part, after) => {
        const text = `${filler(3_000)}${before}${part}${after}${filler(3_000)}`
        const long = `${filler(1_500)}${part}${filler(1_500)}`
        const bytes = (each: string) => Buffer.from(each)
        expect(containsText(text, long)).toBe(text.includes(long))
        expect(containsBytes(bytes(text), bytes(long))).toBe(text.includes(long))
        expect(containsText(text, part)).toBe(true)
        expect(containsBytes(bytes(text), bytes(part))).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('takes an empty part, and one longer than the text', () => {
    expect(containsText('', '')).toBe(true)
    expect(containsText('a', '')).toBe(true)
    expect(containsText('a', 'aa')).toBe(false)
    expect(containsBytes(new Uint8Array(0), new Uint8Array(1))).toBe(false)
  })
})
