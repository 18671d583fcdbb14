import fc, { type Arbitrary } from 'fast-check'
import { path } from './paths.js'
import { anyValueName } from './placeholders.js'
import { firstStep } from './projections.js'
import { seldomSpoilt } from './spoilt-text.js'
import { weighted } from './weighted.js'

const operand: Arbitrary<string> = weighted(
  [4, anyValueName],
  [3, path],
  [2, fc.tuple(path, anyValueName).map(([each, fallback]) => `if_not_exists(${each}, ${fallback})`)],
  [1, fc.tuple(path, path).map(([each, fallback]) => `if_not_exists(${each}, ${fallback})`)],
)

const appendOperand = weighted(
  [3, fc.constant(':list')],
  [3, fc.constantFrom('steps', 'doc.y')],
  [1, operand],
)

const setValue: Arbitrary<string> = weighted(
  [6, operand],
  [
    2,
    fc
      .tuple(
        fc.constantFrom('n', '#n', ':n', 'if_not_exists(n, :n)'),
        fc.constantFrom('+', '-'),
        fc.constantFrom(':n', ':m'),
      )
      .map((parts) => parts.join(' ')),
  ],
  [1, fc.tuple(operand, fc.constantFrom('+', '-'), operand).map((parts) => parts.join(' '))],
  [2, fc.tuple(appendOperand, appendOperand).map(([first, second]) => `list_append(${first}, ${second})`)],
)

/** Mostly paths that do not overlap; otherwise nearly every update would be refused for that reason. */
const actions = (action: Arbitrary<string>) =>
  weighted(
    [9, fc.uniqueArray(action, { minLength: 1, maxLength: 3, selector: firstStep })],
    [1, fc.array(action, { minLength: 1, maxLength: 3 })],
  ).map((all) => all.join(', '))

const clauses: readonly Arbitrary<string>[] = [
  actions(fc.tuple(path, setValue).map(([place, what]) => `${place} = ${what}`)).map((all) => `SET ${all}`),
  actions(path).map((all) => `REMOVE ${all}`),
  actions(
    weighted(
      [3, fc.constantFrom('n :n', 'gone :n', 'bag :set', 'gone :set', '#n :m', 'doc.x :n')],
      [1, fc.tuple(path, anyValueName).map((parts) => parts.join(' '))],
    ),
  ).map((all) => `ADD ${all}`),
  actions(
    weighted(
      [3, fc.constantFrom('bag :set', 'gone :set', 'a :set')],
      [1, fc.tuple(path, anyValueName).map((parts) => parts.join(' '))],
    ),
  ).map((all) => `DELETE ${all}`),
]

/** Updates of every clause, in any order; rarely an invalid one. */
export const update: Arbitrary<string> = seldomSpoilt(
  weighted(
    [5, clauses[0] ?? fc.constant('')],
    [1, fc.oneof(...clauses)],
    [
      3,
      fc
        .shuffledSubarray([...clauses], { minLength: 1, maxLength: 3 })
        .chain((chosen) => fc.tuple(...chosen))
        .map((all) => all.join(' ')),
    ],
  ),
)
