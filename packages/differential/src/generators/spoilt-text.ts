import fc, { type Arbitrary } from 'fast-check'
import { weighted } from './weighted.js'

/** Words of expressions, to be inserted in wrong places. */
const WORDS = [
  ...['AND', 'OR', 'NOT', 'BETWEEN', 'IN', 'SET', 'REMOVE', 'ADD', 'DELETE', 'and', 'set'],
  ...[
    '=',
    '<>',
    '<',
    '<=',
    '>',
    '>=',
    '(',
    ')',
    '[',
    ']',
    '.',
    ',',
    '+',
    '-',
    '*',
    '/',
    '!',
    '$',
    '"',
    "'",
    '==',
    '!=',
  ],
  ...[
    'a',
    'status',
    'name',
    'size',
    '#a',
    '#nope',
    ':a',
    ':nope',
    '0',
    '1',
    '01',
    '-1',
    '1.5',
    '[0]',
    '#',
    ':',
    '_a',
  ],
  ...[
    'attribute_exists',
    'contains(',
    'size(',
    'if_not_exists(',
    'begins_with',
    'nope(',
    'a-b',
    'ä',
    '[99999999999]',
  ],
  ...['attribute_type(a, :t)', 'size(a)', 'list_append(a, :list)', 'attribute_exists(a)', 'count', 'SIZE(a)'],
]

/** The expression, or rarely a similar one with a word too many, too few or in the wrong place. */
export function seldomSpoilt(expression: Arbitrary<string>): Arbitrary<string> {
  return weighted([90, expression], [10, expression.chain(spoilt)])
}

function spoilt(text: string): Arbitrary<string> {
  const words = text.split(/(\s+|[(),.[\]])/).filter((word) => word !== '')
  return fc
    .tuple(
      fc.nat({ max: Math.max(0, words.length - 1) }),
      fc.constantFrom('replace', 'insert', 'remove', 'repeat', 'end'),
      fc.constantFrom(...WORDS),
    )
    .map(([at, how, word]) => {
      const present = words[at] ?? ''
      const put = {
        replace: [word],
        insert: [word, ' ', present],
        remove: [],
        repeat: [present, ' ', present],
      }
      return how === 'end'
        ? `${text} ${word}`
        : words.toSpliced(at, 1, ...put[how as keyof typeof put]).join('')
    })
}
