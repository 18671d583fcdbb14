import { describe, expect, it } from 'vitest'
import type { Item } from '../attribute-value.js'
import { applyUpdate } from '../expressions/apply-update.js'
import { bindChanges } from './bind-changes.js'
import type { Parameters } from './literal-value.js'
import { parseStatement } from './parse-statement.js'

const ITEM: Item = {
  pk: { S: 'a' },
  n: { N: '5' },
  items: { L: [{ N: '1' }, { S: 'x' }] },
  map: { M: { inside: { N: '1' } } },
  tags: { SS: ['x', 'y'] },
}

function changed(changes: string, parameters: Parameters = []): Item {
  const { statement } = parseStatement(`UPDATE t ${changes} WHERE pk = 'a'`)
  if (statement.kind !== 'update') throw new TypeError('It is an update.')
  return applyUpdate(bindChanges(statement, parameters), ITEM)
}

describe('the changes of an UPDATE', () => {
  it('set, compute and remove', () => {
    expect(
      changed('SET n = (n + 1) - (2 - n), map.inside = ? REMOVE items[0] REMOVE tags', [{ S: 'new' }]),
    ).toEqual({
      pk: { S: 'a' },
      n: { N: '9' },
      items: { L: [{ S: 'x' }] },
      map: { M: { inside: { S: 'new' } } },
    })
  })

  it('append to lists and fall back', () => {
    const item = changed(
      `SET items = list_append([0], items) SET more = list_append(if_not_exists(more, []), ['a'])`,
    )
    expect(item.items).toEqual({ L: [{ N: '0' }, { N: '1' }, { S: 'x' }] })
    expect(item.more).toEqual({ L: [{ S: 'a' }] })
  })

  it('add to sets and delete from them', () => {
    expect(changed(`SET tags = set_add(tags, <<'z', 'x'>>)`).tags).toEqual({ SS: ['x', 'y', 'z'] })
    expect(changed(`SET tags = SET_DELETE(tags, ?)`, [{ SS: ['x'] }]).tags).toEqual({ SS: ['y'] })
    expect(changed(`SET tags = set_delete(tags, <<'x', 'y'>>)`).tags).toBeUndefined()
    expect(changed('SET numbers = set_add(numbers, <<1>>)').numbers).toEqual({ NS: ['1'] })
  })

  it.each([
    ['SET n = n * 2', 'Unsupported operator in Update Expression. Operator: *'],
    [
      'SET n = -n',
      'Incorrect number of operands for operator or function; operator or function: -, number of operands: 1',
    ],
    ['SET n = MISSING', 'MISSING must be compared using IS operator'],
    ['SET n = size(items)', 'The function is not allowed in an update expression; function: size'],
    ['SET n = foo(n)', 'Unrecognized function: foo at 1:18:3'],
    [
      `SET n = n + 'a'`,
      'Incorrect operand type for operator or function; operator or function: +, operand type: S',
    ],
    [
      'SET items = list_append(items)',
      'Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1',
    ],
    [
      `SET n = set_add(tags, <<'x'>>)`,
      'The first argument to SET_ADD must equal the assignment value at 1:18:7',
    ],
    [
      `SET tags = set_add(tags, 'x')`,
      'The second argument to SET_ADD must be a value with type SET at 1:29:4',
    ],
    ['SET tags = set_add()', 'SET_ADD must have exactly two arguments at 1:21:7'],
    [`SET tags = set_add(tags, <<'x'>>, <<'y'>>)`, 'SET_ADD must have exactly two arguments at 1:21:7'],
    [
      `SET tags = set_add('tags', <<'x'>>)`,
      'The first argument to SET_ADD must equal the assignment value at 1:21:7',
    ],
    ['SET tags = set_add(tags, n)', 'The second argument to SET_ADD must be a value with type SET at 1:29:4'],
    [
      'SET n = if_not_exists(1, 2)',
      'Operator or function requires a document path; operator or function: if_not_exists',
    ],
    [
      'SET items = list_append(items, -n)',
      'Incorrect number of operands for operator or function; operator or function: -, number of operands: 1',
    ],
    ['SET n = if_not_exists(n, n + 1)', 'Unsupported operator in Update Expression. Operator: +'],
    ['SET n = n IN (1, 2)', 'Unsupported operator in Update Expression. Operator: in'],
    ['SET n = set_add(n, 1)', 'The second argument to SET_ADD must be a value with type SET at 1:26:1'],
    ['SET n = 1 + 2 * 3', 'Unsupported operator in Update Expression. Operator: *'],
    ['SET tags = set_delete(tags)', 'SET_DELETE must have exactly two arguments at 1:21:10'],
    ['SET tags = set_add(tags, <<1>>)', 'An operand in the update expression has an incorrect data type'],
    ['SET tags = set_add(tags, <<>>)', 'Empty bags are not supported'],
    ['SET n = [?]', 'Unsupported data type: Parameter under key root[0] at 1:19:1'],
    ['SET n = absent', 'The provided expression refers to an attribute that does not exist in the item'],
    [
      'SET map = 1, map.inside = 2',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [map], path two: [map, inside]',
    ],
  ])('are refused: %s', (changes, message) => {
    expect(() => changed(changes)).toThrow(expect.objectContaining({ message }))
  })
})
