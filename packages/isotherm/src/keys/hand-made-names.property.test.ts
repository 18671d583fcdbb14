import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FunctionNames } from './function-names.js'
import type { LogicalKey, SuffixableKey } from './key.js'
import { ambiguousTexts, ListedNames, type NameList } from './listed-names.js'

const PIECES = ['', '#', '7', '07', '1', '10', 'a', 'ä', '😀', '_', '#7', '1#']
const keys = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => ({ S: pieces.join('') })),
  fc.string({ unit: 'binary', maxLength: 20 }).map((S) => ({ S })),
  fc.uint8Array({ maxLength: 20 }).map((B) => ({ B })),
  fc
    .array(fc.constantFrom(...PIECES), { maxLength: 6 })
    .map((pieces) => ({ B: Buffer.from(pieces.join('')) })),
) as fc.Arbitrary<LogicalKey>

const texts = fc.array(
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join('')),
  { minLength: 1, maxLength: 12 },
)
const positions = fc.constantFrom<NameList['position']>('suffix', 'prefix')

const plain = (key: SuffixableKey) => ('S' in key ? key.S : [...key.B])

describe('listed names', () => {
  it('are stripped exactly as they were added, whatever the key, if no text is part of another', () => {
    let tried = 0
    fc.assert(
      fc.property(keys, texts, positions, fc.nat(), (key, list, position, chosen) => {
        if (ambiguousTexts({ texts: list, position }) !== undefined) return
        tried += 1
        const names = new ListedNames('votes', { texts: list, position, acceptsLookalikes: true })
        const shard = (chosen % list.length) + 1
        const stripped = names.strip(names.add(key, shard))
        expect(stripped?.shard).toBe(shard)
        expect(stripped && plain(stripped.logical)).toEqual(plain(key))
      }),
      { numRuns: 2_000 },
    )
    expect(tried).toBeGreaterThan(200)
  })

  it('are refused exactly when some stored key would be of two shards', () => {
    fc.assert(
      fc.property(texts, positions, (list, position) => {
        const clash = ambiguousTexts({ texts: list, position })
        const isPart = (a: string, b: string) => (position === 'suffix' ? b.endsWith(a) : b.startsWith(a))
        const expected = list.some((a, i) => list.some((b, j) => i !== j && isPart(a, b)))
        expect(clash !== undefined).toBe(expected)
      }),
      { numRuns: 1_000 },
    )
  })

  it('of suffixes lie in the range that they name', () => {
    fc.assert(
      fc.property(keys, texts, (key, list) => {
        if (ambiguousTexts({ texts: list, position: 'suffix' }) !== undefined) return
        const names = new ListedNames('votes', { texts: list, position: 'suffix', acceptsLookalikes: true })
        const range = names.suffixes
        if (range === undefined) throw new Error('Suffixes have a range.')
        const bytes = (name: SuffixableKey) => Buffer.from('S' in name ? name.S : name.B)
        const isText = !('S' in key && /\p{Surrogate}/u.test(key.S))
        if (!isText) return
        for (let shard = 1; shard <= list.length; shard++) {
          const stored = bytes(names.add(key, shard))
          expect(
            Buffer.compare(Buffer.concat([bytes(key), Buffer.from(range.first)]), stored),
          ).toBeLessThanOrEqual(0)
          expect(
            Buffer.compare(Buffer.concat([bytes(key), Buffer.from(range.last)]), stored),
          ).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })

  it('refuse a key with which the stored key exceeds 2,048 bytes', () => {
    const names = new ListedNames('votes', { texts: ['#10'], position: 'suffix', acceptsLookalikes: false })
    const key = (length: number) => ({ S: 'é'.repeat(length) }) as SuffixableKey as LogicalKey
    expect(() => names.add(key(1_022), 1)).not.toThrow()
    expect(() => names.add(key(1_023), 1)).toThrow(expect.objectContaining({ code: 'key.too-long' }))
  })
})

describe('names made by functions', () => {
  it('lead back to their keys, or are refused', () => {
    const names = new FunctionNames('votes', {
      scheme: 'votes',
      shards: 10,
      format: (key, shard) => `${key}.${shard}`,
      // Finds the first point instead of the last.
      parse: (stored) => {
        const [, key = '', shard] = /^(.*?)\.(\d+)/s.exec(stored) ?? []
        return shard === undefined ? undefined : { key, shard: Number(shard) }
      },
      acceptsLookalikes: true,
    })
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '.', '1', '12'), { minLength: 1 }).map((pieces) => pieces.join('')),
        fc.integer({ min: 1, max: 10 }),
        (text, shard) => {
          const key = { S: text } as SuffixableKey as LogicalKey
          const isBroken = /\.\d/.test(text)
          if (isBroken) {
            expect(() => names.add(key, shard)).toThrow(expect.objectContaining({ code: 'scheme.names' }))
          } else {
            expect(names.strip(names.add(key, shard))).toEqual({ logical: key, shard })
          }
        },
      ),
    )
  })
})
