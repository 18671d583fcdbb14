import { describe, expect, it } from 'vitest'
import type { AttributeValue, Item } from '../attribute-value.js'
import { bindCondition } from './bind-condition.js'
import { matches } from './matches.js'
import { parseCondition } from './parse-condition.js'
import { Placeholders } from './placeholders.js'

const bytes = (text: string) => new TextEncoder().encode(text)

const item: Item = {
  n: { N: '5' },
  s: { S: 'héllo' },
  b: { B: bytes('hello') },
  yes: { BOOL: true },
  nothing: { NULL: true },
  elems: { L: [{ N: '1' }, { S: 'two' }, { L: [{ SS: ['x'] }] }] },
  doc: { M: { x: { N: '1' }, y: { M: { z: { S: 'deep' } } } } },
  texts: { SS: ['a', 'b'] },
  numbers: { NS: ['1', '2.5'] },
  blobs: { BS: [bytes('a'), bytes('b')] },
}
const values: Item = {
  ':1': { N: '1' },
  ':2': { N: '2' },
  ':3': { N: '3' },
  ':5': { N: '5' },
  ':6': { N: '6' },
  ':9': { N: '9' },
  ':h': { S: 'h' },
  ':llo': { S: 'llo' },
  ':empty': { S: '' },
  ':a': { S: 'a' },
  ':he': { B: bytes('he') },
  ':ell': { B: bytes('ell') },
  ':bytesA': { B: bytes('a') },
  ':ba': { SS: ['b', 'a'] },
  ':yes': { BOOL: true },
  ':null': { NULL: true },
  ':x': { L: [{ SS: ['x'] }] },
  ':map': { M: { y: { M: { z: { S: 'deep' } } }, x: { N: '1' } } },
  ':N': { S: 'N' },
  ':L': { S: 'L' },
}

function bind(text: string, more: { [placeholder: string]: AttributeValue } = {}) {
  const ast = parseCondition('ConditionExpression', text)
  return bindCondition('ConditionExpression', ast, new Placeholders({}, { ...values, ...more }))
}

describe('a condition holds', () => {
  it.each([
    'n = :5',
    'n <> :6',
    'n < :6 AND n <= :5 AND n > :3 AND n >= :5',
    'n BETWEEN :5 AND :6',
    ':5 BETWEEN doc.x AND n',
    'n IN (:h, absent, :5)',
    's = s2 OR s > :h',
    's <> n',
    'yes <> :null AND doc <> :ba AND elems <> :map',
    'elems[0] = doc.x AND elems[0] <> elems.x',
    'texts = :ba',
    'doc = :map',
    'yes = :yes AND nothing = :null',
    'attribute_exists(doc.y.z) AND attribute_not_exists(doc.y.z.q)',
    'attribute_exists(elems[2][0]) AND attribute_not_exists(elems[3])',
    'attribute_not_exists(n[0]) AND attribute_not_exists(n.x)',
    'attribute_type(n, :N) AND attribute_type(elems, :L)',
    'attribute_type(:5, :N) AND attribute_type(size(elems), :N)',
    'begins_with(s, :h) AND begins_with(s, :empty) AND begins_with(b, :he)',
    'contains(s, :llo) AND contains(b, :ell)',
    'contains(texts, :a) AND contains(numbers, :1) AND contains(blobs, :bytesA)',
    'contains(elems, :1) AND contains(elems, :x)',
    'size(s) = :5 AND size(b) = :5 AND size(elems) = :3',
    'size(doc) < :3 AND size(texts) < :3 AND size(numbers) < :3 AND size(blobs) < :3',
    'size(elems) BETWEEN :1 AND n',
    'size(doc) = :2 AND size(texts) = :2 AND size(numbers) = :2 AND size(blobs) = :2',
    'n BETWEEN :5 AND :5',
    'NOT NOT n = :5',
    'n = :6 OR n = :5 AND NOT n = :6',
  ])('%s', (text) => {
    expect(matches(bind(text), item)).toBe(true)
  })
})

describe('a condition does not hold', () => {
  it.each([
    'n = s',
    'n < s',
    's < b',
    'absent = :1',
    'absent = gone',
    'absent < :1',
    'absent IN (:1)',
    'absent BETWEEN :1 AND :5',
    'n BETWEEN s AND :9',
    'n BETWEEN :6 AND :9',
    'size(n) = :1',
    'size(yes) = :1',
    'attribute_type(absent, :N)',
    'begins_with(n, s)',
    'begins_with(absent, :h)',
    'begins_with(s, b)',
    'begins_with(:he, b)',
    'contains(doc, :a)',
    'contains(texts, :ba)',
    'contains(s, :1)',
    'contains(absent, :a)',
    'NOT n = :5',
    'n <> :5',
    'n < :5',
    'n > :5',
    'n <= :3',
    'n >= :6',
    'n BETWEEN :1 AND :3',
    'n IN (:1, :6)',
    'n = :5 AND n = :6',
    'n = :6 OR n = :1',
    'attribute_exists(absent)',
    'attribute_not_exists(n)',
    'attribute_type(n, :L)',
    'begins_with(s, :llo)',
    'begins_with(b, :ell)',
    'begins_with(b, :h)',
    'contains(s, :a)',
    'contains(b, :bytesA)',
    'contains(b, :h)',
    'contains(elems, :a)',
    'contains(texts, :h)',
    'contains(texts, :1)',
    'contains(numbers, :9)',
    'contains(numbers, :a)',
    'contains(blobs, :ell)',
    'contains(blobs, :a)',
    'contains(n, :1)',
  ])('%s', (text) => {
    expect(matches(bind(text), item)).toBe(false)
  })
})

describe('the size of a text', () => {
  it('is counted in UTF-16 units, as the service does', () => {
    const text = { s: { S: 'é𝄞' } }
    expect(matches(bind('size(s) = :3'), text)).toBe(true)
    expect(matches(bind('size(s) = :6'), text)).toBe(false)
  })
})

describe('matches', () => {
  it('finds an unequal to whatever is not there', () => {
    expect(matches(bind('absent <> :1 AND absent <> gone AND size(n) <> :1'), item)).toBe(true)
  })

  it('takes an item that does not exist for one without attributes', () => {
    expect(matches(bind('attribute_not_exists(n)'), undefined)).toBe(true)
    expect(matches(bind('n = :5'), undefined)).toBe(false)
  })

  it('does not find what every JavaScript object has', () => {
    expect(matches(bind('attribute_not_exists(toString)'), item)).toBe(true)
    expect(matches(bind('attribute_not_exists(doc.hasOwnProperty)'), item)).toBe(true)
  })

  it('orders text by UTF-8 bytes, not by UTF-16 units', () => {
    expect(matches(bind(':emoji > :wide', { ':emoji': { S: '😀' }, ':wide': { S: '\uff5e' } }), item)).toBe(
      true,
    )
  })
})

describe('binding refuses operands that can never fit', () => {
  it.each([
    ['begins_with(s, :1)', 'begins_with, operand type: N'],
    ['begins_with(:null, s)', 'begins_with, operand type: NULL'],
    ['n < :yes', '<, operand type: BOOL'],
    [':ba >= n', '>=, operand type: SS'],
    ['n BETWEEN :x AND :5', 'BETWEEN, operand type: L'],
    ['size(:1) = :1', 'size, operand type: N'],
    ['size(:yes) = :1', 'size, operand type: BOOL'],
    ['size(:null) = :1', 'size, operand type: NULL'],
    ['attribute_type(n, :1)', 'attribute_type, operand type: N'],
    ['attribute_type(n, size(s))', 'attribute_type, operand type: N'],
    ['attribute_type(n, s)', 'attribute_type, operand type: {S,N,B,BOOL,NULL,L,M,SS,NS,BS}'],
  ])('%s', (text, what) => {
    expect(() => bind(text)).toThrow(
      expect.objectContaining({
        message: `Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: ${what}`,
      }),
    )
  })

  it('an unknown type name', () => {
    expect(() => bind('attribute_type(n, :a)')).toThrow(
      'Invalid ConditionExpression: Invalid attribute type name found; type: a, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}',
    )
  })

  it.each([
    [
      'n BETWEEN :6 AND :5',
      'upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:6}, upper bound operand: AttributeValue: {N:5}',
    ],
    [
      'n BETWEEN :h AND :he',
      'same data type for lower and upper bounds; lower bound operand: AttributeValue: {S:h}, upper bound operand: AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 lim=2 cap=2]}',
    ],
  ])('%s', (text, what) => {
    expect(() => bind(text)).toThrow(
      expect.objectContaining({
        message: `Invalid ConditionExpression: The BETWEEN operator requires ${what}`,
      }),
    )
  })

  it.each([
    ['n = n', '=', '[n]'],
    ['contains(elems[0].a, elems[0].a)', 'contains', '[elems, [0], a]'],
    ['n IN (:1, n)', 'IN', '[n]'],
    ['n BETWEEN :1 AND n', 'BETWEEN', '[n]'],
  ])('one path twice: %s', (text, operator, path) => {
    expect(() => bind(text)).toThrow(
      expect.objectContaining({
        message: `Invalid ConditionExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${path}`,
      }),
    )
  })
})
