import { describe, expect, it } from 'vitest'
import { readMarks } from './mark.js'
import type { Mutant } from './mutant.js'
import { plantedFile } from './planted-file.js'

function marksOf(...texts: readonly string[]) {
  return readMarks(texts.map((text, index) => ({ path: `${'abc'[index]}.ts`, text })))
}

/** What becomes of a file with the mark `here`. */
function planted(text: string, mutant: Pick<Mutant, 'kind' | 'becomes'>): string {
  return plantedFile({ name: 'a bug', mark: 'here', ...mutant }, marksOf(text)).text
}

describe('a planted bug takes the place of', () => {
  it.each([
    ['a statement', 'statement', '// mark: here\nawait wait()\ngo()', '', '// mark: here\n\ngo()'],
    [
      'a statement of many lines',
      'statement',
      '// mark: here\nif (a) {\n  b()\n} else {\n  c()\n}\nd()',
      'e()',
      '// mark: here\ne()\nd()',
    ],
    ['a condition', 'condition', '// mark: here\nif (a < b) c()', 'false', '// mark: here\nif (false) c()'],
    [
      'the condition of a loop',
      'condition',
      '// mark: here\nfor (let i = 0; i <= n; i++) a()',
      'i < n',
      '// mark: here\nfor (let i = 0; i < n; i++) a()',
    ],
    [
      'what is returned',
      'value',
      '() => {\n// mark: here\nreturn a + b }',
      'a',
      '() => {\n// mark: here\nreturn a }',
    ],
    ['what a variable is', 'value', '// mark: here\nconst a = b()', '$&.c', '// mark: here\nconst a = b().c'],
    ['what is assigned', 'value', '// mark: here\nthis.a = b', '1', '// mark: here\nthis.a = 1'],
    [
      'the value of a property',
      'value',
      'f({\n// mark: here\na: true, b })',
      'false',
      'f({\n// mark: here\na: false, b })',
    ],
    ['a property', 'property', 'f({\n// mark: here\na: true, b })', '', 'f({\n// mark: here\n b })'],
    [
      'an element of a list',
      'element',
      'f([a, /* mark: here */ ...b, c])',
      '',
      'f([a, /* mark: here */  c])',
    ],
    ['an argument', 'element', 'f(/* mark: here */ a, b)', 'c', 'f(/* mark: here */ c, b)'],
    ['an expression', 'expression', 'a && /* mark: here */ b === c', 'd', 'a && /* mark: here */ d'],
    [
      'code behind further comments',
      'statement',
      '// mark: here\n// A reason.\n/* Another one. */\na()',
      'b()',
      '// mark: here\n// A reason.\n/* Another one. */\nb()',
    ],
  ] as const)('%s', (_what, kind, text, becomes, expected) => {
    expect(planted(text, { kind, becomes })).toBe(expected)
  })
})

describe('a mutant is refused, with a sentence that says where and why,', () => {
  it('where its mark is gone', () => {
    const mutant = { name: 'a bug', mark: 'gone', kind: 'statement', becomes: '' } as const
    expect(() => plantedFile(mutant, marksOf('a()'))).toThrow(
      'The mutant "a bug" needs the mark "gone", which is nowhere in the library\'s source. Write "// mark: gone" before the code that it is about.',
    )
  })

  it('where the code is of another kind', () => {
    expect(() => planted('\n// mark: here\nconst a = b', { kind: 'condition', becomes: 'false' })).toThrow(
      'The mutant "a bug" does not fit any more. The code at the mark "here" at packages/isotherm/src/a.ts:2 has no condition. It can be replaced as: statement, value.',
    )
  })

  it('where its replacement does not fit', () => {
    expect(() => planted('// mark: here\nif (a) b()', { kind: 'condition', becomes: '' })).toThrow(
      /^The mutant "a bug" does not fit any more. Its replacement does not fit at packages\/isotherm\/src\/a.ts:1: a.ts cannot be parsed: /,
    )
  })
})

describe('a mark is refused', () => {
  it('where its name is used twice', () => {
    expect(() => marksOf('// mark: here\na()', 'a()\n// mark: here\nb()')).toThrow(
      'The mark "here" stands at packages/isotherm/src/a.ts:1 and at packages/isotherm/src/b.ts:2. Each name is for one place: rename one of them.',
    )
  })

  it('where no code is behind it', () => {
    expect(() => marksOf('function f() {\n  a()\n  // mark: here\n}')).toThrow(
      'The mark "here" at packages/isotherm/src/a.ts:3 has no code behind it.',
    )
  })

  it('where its name is not words joined by hyphens', () => {
    expect(() => marksOf('// mark: Over here\na()')).toThrow(
      'The mark "Over here" at packages/isotherm/src/a.ts:1 must be lower-case words joined by hyphens.',
    )
  })
})
