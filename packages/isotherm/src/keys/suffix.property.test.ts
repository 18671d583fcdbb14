import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_SHARDS } from '../options/shard-limits.js'
import type { LogicalKey } from './key.js'
import { Suffix } from './suffix.js'

const delimiters = fc.constantFrom('_', '#', '__', '·')
const shards = fc.integer({ min: 1, max: MAX_SHARDS })
const keys = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => ({ S: text })),
  fc.constantFrom('', 'a_1', 'a_', '_', '7', '__7', 'a_1_2').map((text) => ({ S: text })),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => ({ B: bytes })),
) as fc.Arbitrary<LogicalKey>

/** Bytes as an array, because the test runner does not treat a Buffer and a Uint8Array with the same bytes as equal. */
const plain = (key: LogicalKey) => ('S' in key ? key.S : [...key.B])

describe('a suffix', () => {
  it('is stripped exactly as it was added, for any key', () => {
    fc.assert(
      fc.property(keys, shards, delimiters, (key, shard, delimiter) => {
        const suffix = new Suffix('log', delimiter, false)
        const stripped = suffix.strip(suffix.add(key, shard))
        expect(stripped?.shard).toBe(shard)
        expect(stripped && plain(stripped.logical)).toEqual(plain(key))
      }),
    )
  })

  it.each(['', 'a', 'a_', 'a_0', 'a_01', 'a_1001', 'a_-1', 'a_1.0', 'a_1 ', 'a_１'])(
    'is not found in "%s"',
    (text) => {
      expect(new Suffix('log', '_', false).strip({ S: text })).toBeUndefined()
    },
  )

  it('allows exactly 2,048 bytes of UTF-8', () => {
    const suffix = new Suffix('log', '_', false)
    const key = (text: string) => ({ S: text }) as LogicalKey
    expect(() => suffix.add(key('x'.repeat(2_046)), 9)).not.toThrow()
    expect(() => suffix.add(key('x'.repeat(2_046)), 10)).toThrow(/2049 bytes .* by 1\./)
    expect(() => suffix.add(key('é'.repeat(1_023)), 9)).not.toThrow()
    expect(() => suffix.add(key('é'.repeat(1_024)), 9)).toThrow(
      expect.objectContaining({ code: 'key.too-long' }),
    )
  })
})

describe('the suffix of an adopted table', () => {
  const suffix = new Suffix('log', '_', true)
  const key = (text: string) => ({ S: text }) as LogicalKey

  it('leaves the first shard without a suffix, and strips those of the others', () => {
    expect(suffix.add(key('a'), 1)).toEqual({ S: 'a' })
    expect(suffix.strip({ S: 'a' })).toEqual({ logical: { S: 'a' }, shard: 1 })
    expect(suffix.add(key('a'), 2)).toEqual({ S: 'a_2' })
    expect(suffix.strip({ S: 'a_2' })).toEqual({ logical: { S: 'a' }, shard: 2 })
  })

  it('rejects keys that could be a shard of another key, and accepts all others', () => {
    for (const text of ['a_2', 'a_1000', '_7'])
      expect(() => suffix.add(key(text), 1)).toThrow(expect.objectContaining({ code: 'key.ambiguous' }))
    for (const text of ['a_1', 'a_0', 'a_1001', 'a_02', 'a_x', 'a_'])
      expect(suffix.strip(suffix.add(key(text), 1))).toEqual({ logical: { S: text }, shard: 1 })
  })
})
