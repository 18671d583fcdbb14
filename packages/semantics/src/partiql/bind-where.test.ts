import { describe, expect, it } from 'vitest'
import type { Item } from '../attribute-value.js'
import { matches } from '../expressions/matches.js'
import { bindWhere } from './bind-where.js'
import type { Parameters } from './literal-value.js'
import { parseStatement } from './parse-statement.js'

const ITEM: Item = {
  pk: { S: 'a' },
  n: { N: '5' },
  name: { S: 'abc' },
  nix: { NULL: true },
  tags: { SS: ['x', 'y'] },
  items: { L: [{ N: '1' }, { M: { deep: { S: 'd' } } }] },
  flag: { BOOL: true },
  bytes: { B: new Uint8Array([1]) },
}

function holds(where: string, parameters: Parameters = []): boolean {
  const { statement } = parseStatement(`SELECT * FROM t WHERE ${where}`)
  if (statement.kind !== 'select' || statement.where === undefined) throw new TypeError('It has a condition.')
  return matches(bindWhere(statement.where, parameters), ITEM)
}

describe('a WHERE clause', () => {
  it.each([
    'n = 5',
    '5 = n',
    'n != 6',
    'n <> 6 AND n < 5.5',
    'n BETWEEN 4 AND 5',
    'n NOT BETWEEN 6 AND 7',
    'n IN (1, 5)',
    'n IN [5]',
    'n IN <<4, 5>>',
    'n NOT IN (1, 2)',
    `NOT (n = 4 OR name = 'x')`,
    'absent IS MISSING',
    'n IS NOT MISSING',
    'nix IS NULL',
    'n IS NOT NULL',
    'nix = NULL',
    'flag = true',
    'flag IS BOOL',
    'n IS NUMERIC AND name IS STRING AND items IS LIST',
    'items[1] IS STRUCT AND items[1] IS TUPLE AND flag IS BOOLEAN',
    'bytes IS BLOB',
    `items[1] = {'deep': 'd'}`,
    'n >= 5 AND n <= 5 AND n > 4',
    `n IN (${Array(100).fill(5)})`,
    `true = begins_with(name, 'ab')`,
    `begins_with(name, 'x') = false`,
    `(n = 5) = true`,
    `begins_with(name, 'ab')`,
    `BEGINS_WITH("name", 'ab') = true`,
    `false = begins_with(name, 'x')`,
    `contains(tags, 'x')`,
    `attribute_type(n, 'N')`,
    'attribute_exists(items[1].deep)',
    'attribute_not_exists(items[2])',
    'size(name) = 3',
    `items[1].deep = 'd'`,
    `tags = <<'y', 'x'>>`,
    `items = [1, {'deep': 'd'}]`,
  ])('holds: %s', (where) => {
    expect(holds(where)).toBe(true)
  })

  it.each(['n = 6', 'n <> 5', 'absent = 1', 'absent IS NULL', `name = "abc"`, 'n IS STRING'])(
    'does not hold: %s',
    (where) => {
      expect(holds(where)).toBe(false)
    },
  )

  it('takes parameters in the order of its question marks', () => {
    expect(holds('name = ? AND n IN (?, ?)', [{ S: 'abc' }, { N: '4' }, { N: '5' }])).toBe(true)
    expect(holds('name = ? AND n IN (?, ?)', [{ S: 'abd' }, { N: '4' }, { N: '5' }])).toBe(false)
  })

  it.each([
    ['n', 'WHERE clause must contain an expression that resolves to a boolean'],
    ['size(n)', 'WHERE clause must contain an expression that resolves to a boolean'],
    ['n = 1 AND n', 'The arguments to AND/OR must be Expressions'],
    ['NOT n', 'The argument to NOT must be a Type or Expression'],
    ['n = MISSING', 'MISSING must be compared using IS operator'],
    ['MISSING = n', 'MISSING must be compared using IS operator'],
    ['n BETWEEN MISSING AND 1', 'MISSING must be compared using IS operator'],
    [`MISSING LIKE 'a'`, 'MISSING must be compared using IS operator'],
    ['n LIKE MISSING', 'MISSING must be compared using IS operator'],
    ['n > (n = 1)', 'Unsupported operator in Condition Expression. Operator: >'],
    ['n = (n IN (1))', 'Unsupported operator in Condition Expression. Operator: ='],
    ['(n IS NULL) = n', 'Unsupported operator in Condition Expression. Operator: ='],
    [
      `true <> begins_with(name, 'ab')`,
      'Unsupported operator in Condition Expression. Operator: begins_with',
    ],
    ['n AND n = 1', 'The arguments to AND/OR must be Expressions'],
    ['n = 1 OR n', 'The arguments to AND/OR must be Expressions'],
    ['-n', 'WHERE clause must contain an expression that resolves to a boolean'],
    ['n = (n = 1)', 'Unsupported operator in Condition Expression. Operator: ='],
    ['(n > 1) > true', 'Unsupported operator in Condition Expression. Operator: >'],
    ['n = begins_with(n, 1)', 'Unsupported operator in Condition Expression. Operator: begins_with'],
    ['size(size(n)) = 1', 'The function is not allowed to be used this way in an expression; function: size'],
    [
      'size(n, n) = 1',
      'Incorrect number of operands for operator or function; operator or function: size, number of operands: 2',
    ],
    [
      'n IN []',
      'IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq with at least one member',
    ],
    [`name LIKE 'a%'`, 'Unsupported operator in Condition Expression. Operator: like'],
    ['n = 2 + 3', 'Unsupported operator in Condition Expression. Operator: +'],
    ['n || 1 = 5', 'Unsupported operator in Condition Expression. Operator: ||'],
    ['(n = 1) = (n = 2)', 'Unsupported operator in Condition Expression. Operator: ='],
    ['foo(n)', 'Unrecognized function: foo at 1:23:3'],
    ['EXISTS(n)', 'Unrecognized function: exists at 1:23:6'],
    [`set_add(tags, <<'x'>>) = tags`, 'Unrecognized function: set_add at 1:23:7'],
    [
      'list_append(items, items) = items',
      'The function is not allowed in a condition expression; function: list_append',
    ],
    [
      `attribute_exists('n')`,
      'Operator or function requires a document path; operator or function: attribute_exists',
    ],
    [
      'attribute_exists()',
      'Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 0',
    ],
    [
      'n IN n',
      'IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq with at least one member',
    ],
    [
      `n IN [${Array(101).fill(1)}]`,
      'The IN operator is provided with too many operands; number of operands: 101',
    ],
    [
      'n IS DECIMAL',
      'Unsupported data type for IS operator: DECIMAL. Supported data types are [MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST] at 1:25:2',
    ],
    [
      'n > true',
      'Incorrect operand type for operator or function; operator or function: >, operand type: BOOL',
    ],
    [
      'n = n',
      'The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [n]',
    ],
    [
      'n BETWEEN 2 AND 1',
      'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}',
    ],
  ])('is refused: %s', (where, message) => {
    expect(() => holds(where)).toThrow(expect.objectContaining({ message }))
  })
})
