import { describe, expect, it } from 'vitest'
import { FunctionNames, type NameFunctions } from './function-names.js'
import type { LogicalKey, SuffixableKey } from './key.js'
import { ambiguousTexts, ListedNames, type NameList } from './listed-names.js'

const key = (value: string | Uint8Array) =>
  (typeof value === 'string' ? { S: value } : { B: value }) as SuffixableKey as LogicalKey

describe('listed names', () => {
  const listed = (list: Partial<NameList> = {}) =>
    new ListedNames('votes', { texts: ['#0', '#1'], position: 'suffix', acceptsLookalikes: false, ...list })

  it('add the text of the shard, behind the key or in front of it', () => {
    expect(listed().add(key('a'), 2)).toEqual({ S: 'a#1' })
    expect(listed({ texts: ['0#', '1#'], position: 'prefix' }).add(key('a'), 1)).toEqual({ S: '0#a' })
    expect(listed().add(key(Buffer.from('a')), 1)).toEqual({ B: Buffer.from('a#0') })
    const prefixed = listed({ texts: ['0#', '1#'], position: 'prefix' })
    expect(prefixed.add(key(Buffer.from('a')), 2)).toEqual({ B: Buffer.from('1#a') })
  })

  it('have no shard beyond the last', () => {
    expect(() => listed().add(key('a'), 3)).toThrow('votes has 2 shards, and no shard 3')
  })

  it.each(['a', 'a#', 'a#2', 'a#00', '#', '', '0#a'])('are not found in "%s"', (stored) => {
    expect(listed().strip({ S: stored })).toBeUndefined()
    expect(listed().strip({ B: Buffer.from(stored) })).toBeUndefined()
    expect(listed().accepts({ S: stored })).toBe(true)
  })

  it('reject a key that looks like a stored one, of text and of bytes, unless such keys are allowed', () => {
    const refused = { code: 'key.ambiguous', details: { table: 'votes', logicalKey: 'a#1' } }
    expect(() => listed().add(key('a#1'), 1)).toThrow(expect.objectContaining(refused))
    expect(() => listed().add(key('a#1'), 1)).toThrow(
      /^The partition key "a#1" of votes .* acceptLookalikes: true/,
    )
    expect(() => listed().add(key(Buffer.from('a#1')), 1)).toThrow(/^The partition key of bytes of votes /)
    expect(listed({ acceptsLookalikes: true }).add(key('a#1'), 1)).toEqual({ S: 'a#1#0' })
  })

  it('of suffixes name their range in the order of bytes, and those of prefixes have none', () => {
    const texts = ['😀', '\uffee', 'b', 'a']
    expect(listed({ texts }).suffixes).toEqual({ first: 'a', last: '😀', any: 'a' })
    expect(listed({ position: 'prefix' }).suffixes).toBeUndefined()
  })

  it.each([
    [['1', '11'], 'suffix', ['1', '11']],
    [['1', '10'], 'suffix', undefined],
    [['1', '10'], 'prefix', ['1', '10']],
    [['a', 'a'], 'suffix', ['a', 'a']],
    [['a', ''], 'prefix', ['', 'a']],
  ] as const)('%j as a %s are ambiguous by %j', (texts, position, expected) => {
    expect(ambiguousTexts({ texts, position })).toEqual(expected)
  })
})

describe('names made by functions', () => {
  const made = (changes: Partial<NameFunctions> = {}) =>
    new FunctionNames('votes', {
      scheme: 'by hand',
      shards: 10,
      format: (logical, shard) => (shard === 1 ? logical : `${logical}.${shard}`),
      parse: (stored) => {
        const [, parsed, shard] = /^(.*)\.(\d+)$/s.exec(stored) ?? []
        return parsed === undefined ? { key: stored, shard: 1 } : { key: parsed, shard: Number(shard) }
      },
      acceptsLookalikes: false,
      ...changes,
    })

  it('are added and stripped, and one may be the key itself', () => {
    expect(made().add(key('a'), 7)).toEqual({ S: 'a.7' })
    expect(made().add(key('a'), 1)).toEqual({ S: 'a' })
    expect(made().strip({ S: 'a.7' })).toEqual({ logical: { S: 'a' }, shard: 7 })
    expect(made().strip({ S: 'a' })).toEqual({ logical: { S: 'a' }, shard: 1 })
  })

  it.each([
    ['a.07', 'another form of a number'],
    ['a.0', 'a shard before the first'],
    ['a.11', 'a shard after the last'],
    ['.5', 'no key'],
  ])('are not found in "%s", which has %s', (stored) => {
    expect(made().strip({ S: stored })).toBeUndefined()
  })

  it('are not found where parse returns nothing', () => {
    expect(made({ parse: () => undefined }).strip({ S: 'a.7' })).toBeUndefined()
    expect(made({ parse: () => null as unknown as undefined }).strip({ S: 'a.7' })).toBeUndefined()
  })

  it('reject a key that looks like a stored one, unless such keys are allowed', () => {
    expect(() => made().add(key('a.7'), 2)).toThrow(expect.objectContaining({ code: 'key.ambiguous' }))
    expect(made({ acceptsLookalikes: true }).add(key('a.7'), 2)).toEqual({ S: 'a.7.2' })
  })

  it('reject a stored key that is too long', () => {
    expect(() => made().add(key('a'.repeat(2_047)), 5)).toThrow(
      expect.objectContaining({
        code: 'key.too-long',
        details: { table: 'votes', bytes: 2_049, maxBytes: 2_048 },
      }),
    )
  })

  const broken: readonly (readonly [string, Partial<NameFunctions>, RegExp])[] = [
    [
      'format that returns nothing',
      { format: () => undefined as unknown as string },
      /format returned undefined/,
    ],
    ['format that returns no text', { format: () => '' }, /a text that is not empty/],
    [
      'parse that returns another key',
      { parse: (stored) => ({ key: stored, shard: 5 }) },
      /parse must return the key/,
    ],
    [
      'parse that returns another shard',
      { parse: (stored) => ({ key: stored.replace('.5', ''), shard: 4 }) },
      /parse must return the key and the shard/,
    ],
    [
      'parse that returns no number',
      { parse: (stored) => ({ key: stored, shard: 1.5 }) },
      /a whole number, or undefined/,
    ],
    ['parse that returns no key', { parse: () => ({ shard: 5 }) as never }, /must return \{ key, shard \}/],
    [
      'format that throws',
      {
        format: () => {
          throw new Error('oh')
        },
      },
      /format or parse threw for it: Error: oh/,
    ],
  ]

  it.each(broken)('reject %s', (_what, functions, message) => {
    const names = made({ acceptsLookalikes: true, ...functions })
    expect(() => names.add(key('a'), 5)).toThrow(
      expect.objectContaining({
        code: 'scheme.names',
        message: expect.stringMatching(message),
        details: expect.objectContaining({ scheme: 'by hand', key: expect.stringMatching(/^a/) }),
      }),
    )
  })

  it('reject keys of bytes', () => {
    expect(() => made().add(key(Buffer.from('a')), 5)).toThrow(/is binary; .*handMade "by hand" are for text/)
  })
})
