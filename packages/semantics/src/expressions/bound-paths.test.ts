import { expect, it } from 'vitest'
import { bindCondition } from './bind-condition.js'
import { bindUpdate } from './bind-update.js'
import { conditionPaths, updatePaths } from './bound-paths.js'
import { parseCondition } from './parse-condition.js'
import { parseUpdate } from './parse-update.js'
import { Placeholders } from './placeholders.js'

const placeholders = new Placeholders(
  {},
  { ':v': { S: 'v' }, ':n': { N: '1' }, ':l': { L: [] }, ':N': { S: 'N' } },
)

it('finds every path of a condition', () => {
  const text =
    'a.b = :v AND NOT c IN (d, :v) OR size(e[1]) BETWEEN f AND :n OR attribute_exists(g) AND contains(h, i) AND begins_with(j, :v) AND attribute_type(k, :N)'
  const ast = parseCondition('FilterExpression', text)
  const paths = conditionPaths(bindCondition('FilterExpression', ast, placeholders))
  expect(paths).toEqual([['a', 'b'], ['c'], ['d'], ['e', 1], ['f'], ['g'], ['h'], ['i'], ['j'], ['k']])
})

it('finds every path of an update', () => {
  const text =
    'SET a = b + :n, c = if_not_exists(d.e, f), g = list_append(h, :l), i = :v, l = m - o REMOVE j[0] ADD k :n'
  const paths = updatePaths(bindUpdate(parseUpdate(text), placeholders))
  expect(paths).toEqual([
    ...[['a'], ['c'], ['g'], ['i'], ['l'], ['j', 0], ['k']],
    ...[['b'], ['d', 'e'], ['f'], ['h'], ['m'], ['o']],
  ])
})
