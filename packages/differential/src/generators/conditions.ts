import fc, { type Arbitrary } from 'fast-check'
import { path } from './paths.js'
import { anyValueName } from './placeholders.js'
import { seldomSpoilt } from './spoilt-text.js'
import { weighted } from './weighted.js'

const COMPARATORS = ['=', '<>', '<', '<=', '>', '>='] as const

const operand: Arbitrary<string> = weighted(
  [6, path],
  [5, anyValueName],
  [2, path.map((each) => `size(${each})`)],
  [1, anyValueName.map((each) => `size(${each})`)],
)

const call: Arbitrary<string> = weighted(
  [4, path.map((each) => `attribute_exists(${each})`)],
  [3, path.map((each) => `attribute_not_exists(${each})`)],
  [
    2,
    fc
      .tuple(path, fc.constantFrom(':t', ':t', ':s', ':n'))
      .map(([each, type]) => `attribute_type(${each}, ${type})`),
  ],
  [2, fc.tuple(operand, operand).map(([whole, part]) => `begins_with(${whole}, ${part})`)],
  [3, fc.tuple(operand, operand).map(([whole, part]) => `contains(${whole}, ${part})`)],
)

const simple: Arbitrary<string> = weighted(
  [5, fc.tuple(operand, fc.constantFrom(...COMPARATORS), operand).map((parts) => parts.join(' '))],
  [1, fc.tuple(operand, operand, operand).map(([what, from, to]) => `${what} BETWEEN ${from} AND ${to}`)],
  [
    1,
    fc
      .tuple(operand, fc.array(operand, { minLength: 1, maxLength: 3 }))
      .map(([what, options]) => `${what} IN (${options.join(', ')})`),
  ],
  [4, call],
)

const tree: Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    { weight: 5, arbitrary: simple },
    { weight: 1, arbitrary: tie('node').map((inner) => `NOT ${inner}`) },
    { weight: 1, arbitrary: tie('node').map((inner) => `(${inner})`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(tie('node'), fc.constantFrom('AND', 'OR', 'and', 'Or'), tie('node'))
        .map((parts) => parts.join(' ')),
    },
  ),
})).node

/** Conditions and filters of every form; rarely an invalid one. */
export const condition: Arbitrary<string> = seldomSpoilt(tree)
