import { describe, expect, it } from 'vitest'
import type { Item } from '../attribute-value.js'
import { applyUpdate } from './apply-update.js'
import { bindUpdate } from './bind-update.js'
import { parseUpdate } from './parse-update.js'
import { type AttributeNames, Placeholders } from './placeholders.js'
import { project, projectionOf } from './projection.js'

const bytes = (text: string) => new TextEncoder().encode(text)

const item: Item = {
  n: { N: '5' },
  s: { S: 'text' },
  l: { L: [{ N: '0' }, { N: '1' }, { M: { x: { N: '2' } } }] },
  m: { M: { x: { N: '1' }, y: { S: 'y' } } },
  ss: { SS: ['a', 'b'] },
  ns: { NS: ['1', '2'] },
  bs: { BS: [bytes('a')] },
}
const values: Item = {
  ':1': { N: '1' },
  ':2': { N: '2' },
  ':s': { S: 's' },
  ':l': { L: [{ N: '9' }] },
  ':ab': { SS: ['a', 'b'] },
  ':bc': { SS: ['b', 'c'] },
  ':n1': { NS: ['1', '3'] },
  ':blobs': { BS: [bytes('a'), bytes('b')] },
  ':map': { M: {} },
  ':bool': { BOOL: true },
  ':null': { NULL: true },
  ':blob': { B: bytes('a') },
}

const bind = (text: string, names: AttributeNames = {}) =>
  bindUpdate(parseUpdate(text), new Placeholders(names, values))
const update = (text: string, names?: AttributeNames) => applyUpdate(bind(text, names), item)

describe('SET', () => {
  it('writes values, copies and sums, as everything was before the update', () => {
    expect(update('SET n = m.x, m.x = n, up = n + :1, down = :1 - n')).toEqual({
      ...item,
      n: { N: '1' },
      m: { M: { x: { N: '5' }, y: { S: 'y' } } },
      up: { N: '6' },
      down: { N: '-4' },
    })
  })

  it('takes a default for what is not there', () => {
    const changed = update('SET n = if_not_exists(n, :1), q = if_not_exists(q, if_not_exists(r, :2)) + :1')
    expect(changed).toMatchObject({ n: { N: '5' }, q: { N: '3' } })
  })

  it('appends lists at either end', () => {
    expect(update('SET a = list_append(:l, :l), l = list_append(l, :l)')).toMatchObject({
      a: { L: [{ N: '9' }, { N: '9' }] },
      l: { L: [{ N: '0' }, { N: '1' }, { M: { x: { N: '2' } } }, { N: '9' }] },
    })
  })

  it('appends elements past the end of a list in the order of their indexes', () => {
    expect(update('SET l[84] = :1, l[37] = :2, l[0] = :s').l).toEqual({
      L: [{ S: 's' }, { N: '1' }, { M: { x: { N: '2' } } }, { N: '2' }, { N: '1' }],
    })
  })

  it('writes inside of lists and maps', () => {
    expect(update('SET l[2].x = :1, m.z = :s')).toMatchObject({
      l: { L: [{ N: '0' }, { N: '1' }, { M: { x: { N: '1' } } }] },
      m: { M: { x: { N: '1' }, y: { S: 'y' }, z: { S: 's' } } },
    })
  })

  it('sees key attributes of an item that is new', () => {
    expect(applyUpdate(bind('SET a = pk'), { pk: { S: 'p' } }, { isNew: true })).toEqual({
      pk: { S: 'p' },
      a: { S: 'p' },
    })
  })
})

describe('REMOVE', () => {
  it('means list elements by the places they had before', () => {
    expect(update('REMOVE l[0], m.x, l[1], n').l).toEqual({ L: [{ M: { x: { N: '2' } } }] })
    expect(update('REMOVE l[0], l[2].x').l).toEqual({ L: [{ N: '1' }, { M: {} }] })
    expect(update('REMOVE l[0] SET l[1] = :s').l).toEqual({ L: [{ S: 's' }, { M: { x: { N: '2' } } }] })
  })

  it('does not remove what the same update appends', () => {
    expect(update('SET l[9] = :s REMOVE l[3]').l).toMatchObject({ L: [{}, {}, {}, { S: 's' }] })
  })

  it('overlooks what is not there', () => {
    expect(update('REMOVE q, m.q, l[7]')).toEqual(item)
  })

  it('leaves maps and lists empty', () => {
    expect(update('REMOVE m.x, m.y, l[0], l[1], l[2]')).toMatchObject({ m: { M: {} }, l: { L: [] } })
  })

  it('overlooks missing places in an item that is new, and only there', () => {
    expect(applyUpdate(bind('REMOVE q.x, r[0]'), {}, { isNew: true })).toEqual({})
    expect(() => applyUpdate(bind('REMOVE q.x'), {})).toThrow('invalid for update')
  })
})

describe('ADD and DELETE', () => {
  it('add numbers, starting from nothing', () => {
    expect(update('ADD n :1, q :2, m.x :1')).toMatchObject({
      n: { N: '6' },
      q: { N: '2' },
      m: { M: { x: { N: '2' } } },
    })
  })

  it('unite sets and take from sets', () => {
    expect(update('ADD ss :bc, bs :blobs DELETE ns :n1')).toMatchObject({
      ss: { SS: ['a', 'b', 'c'] },
      bs: { BS: [bytes('a'), bytes('b')] },
      ns: { NS: ['2'] },
    })
  })

  it('remove a set that has lost its last member', () => {
    expect(update('DELETE ss :ab, q :ab')).not.toHaveProperty('ss')
    expect(update('DELETE bs :blobs')).not.toHaveProperty('bs')
  })

  it('append to a list, as only AttributeUpdates can ask for', () => {
    const adding = (name: string) => {
      const add = [{ path: [name] as const, value: { L: [{ S: 'end' }] } }]
      return applyUpdate({ set: [], remove: [], add, delete: [], touched: [[name]] }, item)
    }
    expect(adding('l').l).toEqual({ L: [{ N: '0' }, { N: '1' }, { M: { x: { N: '2' } } }, { S: 'end' }] })
    expect(adding('q').q).toEqual({ L: [{ S: 'end' }] })
    expect(() => adding('s')).toThrow('An operand in the update expression has an incorrect data type')
  })
})

describe('an update refuses', () => {
  const operand = 'Incorrect operand type for operator or function; operator'
  const path = 'The document path provided in the update expression is invalid for update'
  const type = 'An operand in the update expression has an incorrect data type'
  const missing = 'The provided expression refers to an attribute that does not exist in the item'
  const touching = (relation: string, one: string, two: string) =>
    `Invalid UpdateExpression: Two document paths ${relation} with each other; must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`

  it.each([
    ['SET a = q', missing],
    ['SET a = q + :1', missing],
    ['SET a = list_append(q, :l)', missing],
    ['SET a = if_not_exists(q, r)', missing],
    ['SET a = s + :1', type],
    ['SET a = list_append(s, :l)', type],
    ['ADD s :1', type],
    ['ADD ss :n1', type],
    ['DELETE ss :n1', type],
    ['SET q.x = :1', path],
    ['SET n.x = :1', path],
    ['SET l.x = :1', path],
    ['SET m[0] = :1', path],
    ['SET l[9].x = :1', path],
    ['SET n.x = q', path],
    ['REMOVE q.x', path],
    ['ADD q.x :1', path],
    ['DELETE q.x :ab', path],
    ['SET a = n + :s', `Invalid UpdateExpression: ${operand} or function: +, operand type: S`],
    ['SET a = :l - n', `Invalid UpdateExpression: ${operand} or function: -, operand type: L`],
    [
      'SET a = list_append(l, :1)',
      `Invalid UpdateExpression: ${operand} or function: list_append, operand type: N`,
    ],
    [
      'ADD n :s',
      `Invalid UpdateExpression: ${operand}: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND`,
    ],
    [
      'ADD n :map',
      `Invalid UpdateExpression: ${operand}: ADD, operand type: MAP, typeSet: ALLOWED_FOR_ADD_OPERAND`,
    ],
    [
      'ADD n :blob',
      `Invalid UpdateExpression: ${operand}: ADD, operand type: BINARY, typeSet: ALLOWED_FOR_ADD_OPERAND`,
    ],
    [
      'ADD n :null',
      `Invalid UpdateExpression: ${operand}: ADD, operand type: NULL, typeSet: ALLOWED_FOR_ADD_OPERAND`,
    ],
    [
      'ADD l :l',
      `Invalid UpdateExpression: ${operand}: ADD, operand type: LIST, typeSet: ALLOWED_FOR_ADD_OPERAND`,
    ],
    [
      'DELETE n :1',
      `Invalid UpdateExpression: ${operand}: DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND`,
    ],
    [
      'DELETE n :bool',
      `Invalid UpdateExpression: ${operand}: DELETE, operand type: BOOLEAN, typeSet: ALLOWED_FOR_DELETE_OPERAND`,
    ],
    [
      'SET a = if_not_exists(n, n)',
      'Invalid UpdateExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: if_not_exists, first operand: [n]',
    ],
    ['SET a = :1, a = :2', touching('overlap', '[a]', '[a]')],
    ['SET a.b = :1 REMOVE a', touching('overlap', '[a, b]', '[a]')],
    ['SET a[0] = :1, b = :1, a[0].c = :1', touching('overlap', '[a, [0]]', '[a, [0], c]')],
    ['SET a[0] = :1, a.x = :2', touching('conflict', '[a, [0]]', '[a, x]')],
    ['SET a = :undefined, a.b = :1', touching('overlap', '[a]', '[a, b]')],
  ])('%s', (text, message) => {
    expect(() => update(text)).toThrow(expect.objectContaining({ message: message }))
  })
})

describe('an update that is refused', () => {
  it.each([
    ['SET a = s + :1', 'update.operand-type'],
    ['SET a = q', 'update.missing-attribute'],
    ['SET q.x = :1', 'update.path'],
    ['ADD n :s', 'expression.invalid'],
  ])('names the broken rule in its code: %s', (text, code) => {
    expect(() => update(text)).toThrow(expect.objectContaining({ code }))
  })
})

describe('what an update touched', () => {
  const touched = (text: string) => {
    const bound = bind(text)
    const projection = projectionOf(bound.touched)
    return [project(projection, item), project(projection, applyUpdate(bound, item))]
  }

  it('is just what its paths name, before and after', () => {
    expect(touched('SET m.x = :2, q = :1')).toEqual([
      { m: { M: { x: { N: '1' } } } },
      { m: { M: { x: { N: '2' } } }, q: { N: '1' } },
    ])
  })

  it('is told by the index in the path, even where elements have moved', () => {
    expect(touched('REMOVE l[0]')).toEqual([{ l: { L: [{ N: '0' }] } }, { l: { L: [{ N: '1' }] } }])
    expect(touched('SET l[9] = :1')).toEqual([{}, {}])
  })
})

describe('names of JavaScript objects', () => {
  it('are attribute names like any other', () => {
    const names = { '#p': '__proto__', '#c': 'constructor' }
    const changed = update('SET #p = :1, #c = if_not_exists(#c, :2), m.#p = :s', names)
    expect(Object.getPrototypeOf(changed)).toBe(Object.prototype)
    expect(Object.entries(changed).slice(-2)).toEqual([
      ['__proto__', { N: '1' }],
      ['constructor', { N: '2' }],
    ])
    expect(Object.keys(changed.m !== undefined && 'M' in changed.m ? changed.m.M : {})).toContain('__proto__')
  })
})
