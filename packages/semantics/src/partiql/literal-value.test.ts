import { describe, expect, it } from 'vitest'
import type { Item } from '../attribute-value.js'
import { literalItem, type Parameters } from './literal-value.js'
import { parseStatement } from './parse-statement.js'

function inserted(item: string, parameters: Parameters = []): Item {
  const { statement } = parseStatement(`INSERT INTO t VALUE ${item}`)
  if (statement.kind !== 'insert') throw new TypeError('It is an insert.')
  return literalItem(statement.item, parameters)
}

describe('the item of an INSERT', () => {
  it('holds literals of every type that has one', () => {
    expect(
      inserted(
        `{'s': '', 'n': 1.50e1, 'b': true, 'x': null, 'l': [1, {'a': ('b', false)}], 'ns': <<1, 2>>, 'ss': <<'a'>>}`,
      ),
    ).toEqual({
      s: { S: '' },
      n: { N: '15' },
      b: { BOOL: true },
      x: { NULL: true },
      l: { L: [{ N: '1' }, { M: { a: { L: [{ S: 'b' }, { BOOL: false }] } } }] },
      ns: { NS: ['1', '2'] },
      ss: { SS: ['a'] },
    })
  })

  it('takes parameters for whole attributes', () => {
    expect(inserted(`{'b': ?, 'm': ?}`, [{ B: new Uint8Array([1]) }, { M: {} }])).toEqual({
      b: { B: new Uint8Array([1]) },
      m: { M: {} },
    })
  })

  it.each([
    [`{'v': MISSING}`, 'Unsupported data type: MISSING under key root at 1:27:7'],
    [`{'v': y}`, 'Unsupported data type: y under key root at 1:27:1'],
    [`{'v': [y]}`, 'Unsupported data type: VariableReference under key root[0] at 1:28:1'],
    [`{'v': 1 + 1}`, 'Unsupported data type: + under key root at 1:29:1'],
    [`{'v': set_add(<<1>>, <<2>>)}`, 'Unsupported data type: set_add under key root at 1:27:7'],
    [`{'v': {'a': ?}}`, 'Unsupported data type: Parameter under key root.a at 1:33:1'],
    [`{"v": 1}`, 'Tuple keys must be of type String. Actual type: VariableReference under root at 1:22:3'],
    [`{'v': 1, 'v': 2}`, 'Duplicate keys in tuple. Key: v under root at 1:30:3'],
    [`{1: 1}`, 'Tuple keys must be of type String. Actual type: INT under root at 1:22:1'],
    [`{true: 1}`, 'Tuple keys must be of type String. Actual type: BOOLEAN under root at 1:22:4'],
    [`{'v': -y}`, 'Unsupported data type: - under key root at 1:27:1'],
    [`{'': 1}`, 'Path component cannot be an empty string'],
    [
      `{'v': <<true>>}`,
      'Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags at 1:29:4',
    ],
    [`{'v': <<>>}`, 'Empty bags are not supported'],
    [
      `{'v': <<1, 1.0>>}`,
      'One or more parameter values were invalid: Input collection [1, 1] contains duplicates.',
    ],
    [
      `{'v': <<1, 'a'>>}`,
      'Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags at 1:32:3',
    ],
    [
      `{'v': {'x': [1, 1e126]}}`,
      'Number overflow. Attempting to store a number with magnitude larger than supported range under root.x[1]',
    ],
  ])('is refused: %s', (item, message) => {
    expect(() => inserted(item, [{ S: 'given' }])).toThrow(expect.objectContaining({ message }))
  })

  it.each([
    ['lists', '[', '1', ']'],
    ['lists around a set', '[', '<<1>>', ']'],
    ['lists around an empty list', '[', '', ']'],
    ['maps', "{'a': ", '1', '}'],
    ['maps around an empty map', "{'a': ", '{}', '}'],
  ])('is at most as deep as an item that PutItem takes: %s', (_, open, inside, close) => {
    const nested = (levels: number) => `{'v': ${open.repeat(levels)}${inside}${close.repeat(levels)}}`
    const levels = inside === '{}' ? 30 : 31
    expect(() => inserted(nested(levels))).not.toThrow()
    expect(() => inserted(nested(levels + 1))).toThrow('Nesting Levels have exceeded supported limits')
  })

  it('needs a value for each of its parameters', () => {
    expect(() => inserted(`{'v': ?}`)).toThrow(TypeError)
  })
})
