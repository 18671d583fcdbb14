import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { companyName } from './company-name.js'
import { gramsOf, gramWindows } from './grams.js'
import { phoneNumber } from './phone-number.js'
import { plainText } from './plain-text.js'

const numRuns = inject('trials') === 'many' ? 20_000 : 500
const names = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom(
      '株式会社',
      '㈱',
      'ｱﾊﾟ',
      'Ltd.',
      'Inc',
      ' ',
      '山田',
      '𠮷',
      'é',
      'が',
      '+81',
      '0',
      'İ',
      'ß',
      'ー',
    ),
  ),
  { maxLength: 6 },
)

describe('any text', () => {
  it.each([
    ['plainText', plainText],
    ['companyName', companyName],
    ['phoneNumber', phoneNumber({ country: '81' })],
  ])('is left as it is by %s the second time', (_name, normalize) => {
    fc.assert(
      fc.property(names, (parts) => {
        const once = normalize(parts.join(''))
        expect(normalize(once)).toBe(once)
      }),
      { numRuns },
    )
  })

  it('has all grams of each of its parts', () => {
    fc.assert(
      fc.property(names, fc.nat(), fc.nat(), (parts, from, length) => {
        const text = plainText(parts.join(''))
        const characters = Array.from(text)
        const first = characters.length === 0 ? 0 : from % characters.length
        const part = characters.slice(first, first + (length % 8)).join('')
        const grams = new Set(gramsOf(text))
        expect(gramsOf(part).filter((gram) => !grams.has(gram))).toEqual([])
      }),
      { numRuns },
    )
  })

  it('has the windows of each of its parts', () => {
    fc.assert(
      fc.property(names, fc.nat(), fc.nat(), (parts, from, length) => {
        const text = plainText(parts.join(''))
        const characters = Array.from(text)
        const first = characters.length === 0 ? 0 : from % characters.length
        const part = characters.slice(first, first + (length % 24)).join('')
        const windows = gramWindows(text)
        for (const [gram, [window = '']] of gramWindows(part))
          expect(windows.get(gram)?.some((one) => one.includes(window))).toBe(true)
      }),
      { numRuns },
    )
  })

  it('of three characters has a gram', () => {
    fc.assert(
      fc.property(names, (parts) => {
        const text = plainText(parts.join(''))
        fc.pre(Array.from(text).length >= 3)
        expect(gramsOf(text)).not.toEqual([])
      }),
      { numRuns },
    )
  })
})
