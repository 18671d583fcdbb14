import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
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

  it('finds an empty part in no bytes at all', () => {
    expect(containsBytes(new Uint8Array(0), new Uint8Array(0))).toBe(true)
  })

  it('finds what native search finds, in texts of many beginnings and ends of a part that repeats itself', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 2 })
    const words = fc.array(word, { minLength: 9, maxLength: 9 })
    const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(words, places, fc.boolean(), (between, cuts, isWhole) => {
        // Each word between two copies gives the part one more beginning that it also ends with.
        const part = between.reduce((each, next) => each + next + each, 'aba')
        const pieces = cuts.map((cut, at) => {
          const place = Math.floor(cut * part.length)
          return at % 2 === 0 ? part.slice(0, place) : part.slice(place)
        })
        const text = [filler(2_000), ...pieces, isWhole ? part : '', filler(2_000)].join('')
        expect(containsText(text, part)).toBe(text.includes(part))
        expect(containsBytes(Buffer.from(text), Buffer.from(part))).toBe(text.includes(part))
      }),
      { numRuns: 100 },
    )
  })
})

describe('a long search', () => {
  const end = 'c'.repeat(1_500)
  it.each([
    ['is not found without its first letter', `a${end}`, `b${end}`, false],
    ['is not found without its first letter behind a beginning of it', `ab${end}`, `abccb${end}`, false],
    ['is found where it begins in a beginning of it', `aabaaa${end}`, `aabaaabaaa${end}`, true],
  ])('for a part that %s', (_, part, last, isFound) => {
    const text = `${'d'.repeat(3_000)}${last}`
    expect(text.includes(part)).toBe(isFound)
    expect(containsText(text, part)).toBe(isFound)
    expect(containsBytes(Buffer.from(text), Buffer.from(part))).toBe(isFound)
  })

  const text = filler(5_000)
  const part = filler(2_000)
  const absent = `${filler(1_000)}b`

  it('has a result of its own for each text and each part', () => {
    const other = 'b'.repeat(5_000)
    for (let round = 0; round < 2; round++) {
      expect(containsText(text, part)).toBe(true)
      expect(containsText(other, part)).toBe(false)
      expect(containsText(text, part)).toBe(true)
      expect(containsText(text, absent)).toBe(false)
    }
  })

  it('can be the first one of a process', async () => {
    vi.resetModules()
    const fresh = await import('./contains-text.js')
    expect(fresh.containsText(text, absent)).toBe(false)
  })

  it('that is repeated at once reads none of the bytes again', () => {
    let reads = 0
    const counted = new Proxy(Buffer.from(text), {
      get(bytes, name) {
        reads++
        return Reflect.get(bytes, name, bytes)
      },
    })
    const bytes = Buffer.from(absent)
    expect(containsBytes(counted, bytes)).toBe(false)
    expect(reads).toBeGreaterThan(text.length)
    reads = 0
    for (let search = 0; search < 100; search++) expect(containsBytes(counted, bytes)).toBe(false)
    expect(reads).toBeLessThan(text.length)
  })
})

describe('the largest values of an item', () => {
  // Native search takes half a minute for these.
  const text = filler(409_000)
  const half = filler(100_000)
  const part = `${half}b${half}`

  it.each([
    ['text', () => containsText(text, part)],
    ['bytes', () => containsBytes(Buffer.from(text), Buffer.from(part))],
  ])('are searched in time, although nearly all of the %s is equal', { timeout: 15_000 }, (_, search) => {
    expect(search()).toBe(false)
  })
})
