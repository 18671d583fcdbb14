import { expect, it } from 'vitest'
import { bindUpdate } from './bind-update.js'
import { parseUpdate } from './parse-update.js'
import { Placeholders } from './placeholders.js'
import { updateChargeBytes } from './update-charge.js'

const values = {
  ':n': { N: '1' },
  ':s': { S: 'xyz' },
  ':l': { L: [] },
  ':set': { SS: ['ab', 'c'] },
}

/** A number of one digit has 2 bytes, and an empty list 3. */
it.each([
  ['SET a = :s', 3 + 19 + 1 + 3],
  ['SET #e[10].b = :s', 3 + 19 + (2 + 2 + 1) + 2 * 4 + 3],
  ['SET a = b[1]', 3 + 19 + 1 + (1 + 2 * 14 + 2)],
  ['SET a = :n + b', 3 + 19 + 1 + 34 + 2 + (1 + 14 + 1)],
  ['SET a = b - :n', 3 + 19 + 1 + 37 + (1 + 14 + 1) + 2],
  ['SET a = if_not_exists(b, :s)', 3 + 19 + 1 + 39 + (1 + 14 + 1) + 3],
  ['SET a = list_append(:l, b)', 3 + 19 + 1 + 37 + 3 + (1 + 14 + 1)],
  ['SET a = :s, b = :s', 3 + 2 * (19 + 1 + 3)],
  ['ADD a.b :set', 3 + 19 + 2 + 4 + 3],
  ['REMOVE a, l[10]', 3 + (1 + 1) + (1 + 3 + 4)],
  ['DELETE a.b :set', 3 + 1 + 2 + 4],
])('the size of a statement is that of its clauses, paths and values: %s', (text, bytes) => {
  const update = bindUpdate(parseUpdate(text), new Placeholders({ '#e': 'é' }, values))
  expect(updateChargeBytes(update)).toBe(bytes)
})
