import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keySegments, keyViolation } from './object-key.js'

describe('a key', () => {
  it.each(['', 'a', 'a/', 'a/b.json', '2026-Nov/..a/...', 'AWSDynamoDB/01-ab/data/x.json.gz', 'ä b+'])(
    'can be a path: %j',
    (key) => expect(keyViolation(key)).toBeUndefined(),
  )

  it.each([
    ['..', "no part between slashes may be '..'"],
    ['a/../b', "no part between slashes may be '..'"],
    ['a/./b', "no part between slashes may be '.'"],
    ['/a', 'must not begin with a slash'],
    ['a//b', 'two of them in a row'],
    ['a\u0000b', 'zero byte'],
    ['a\\..\\b', 'backslash'],
    ['x'.repeat(256), 'more than 255 bytes'],
    ['x/'.repeat(600), 'at most 1024 bytes'],
  ])('cannot be a path: %j', (key, why) => expect(keyViolation(key)).toContain(why))

  it('that is allowed never leads up', () => {
    const piece = fc.constantFrom('.', '..', '/', '\\', '\u0000', 'a', '...')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const key = pieces.join('')
        if (keyViolation(key) !== undefined) return
        expect(keySegments(key).some((segment) => ['', '.', '..'].includes(segment))).toBe(false)
      }),
    )
  })
})
