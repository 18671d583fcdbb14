import { describe, expect, it } from 'vitest'
import type { Item } from '../attribute-value.js'
import { bindKeyCondition, type KeyAttributes } from './key-condition.js'
import { parseCondition } from './parse-condition.js'
import { Placeholders } from './placeholders.js'

const table: KeyAttributes = { hash: [{ name: 'pk', type: 'S' }], range: [{ name: 'sk', type: 'N' }] }
const values: Item = {
  ':p': { S: 'a' },
  ':s': { N: '1' },
  ':t': { N: '2' },
  ':text': { S: '1' },
  ':empty': { S: '' },
  ':list': { L: [] },
}

function bind(text: string, schema = table) {
  const ast = parseCondition('KeyConditionExpression', text)
  return bindKeyCondition(ast, new Placeholders({ '#p': 'pk' }, values), schema)
}

describe('a key condition', () => {
  const partition = [{ S: 'a' }]

  it.each([
    ['pk = :p', []],
    [':p = #p', []],
    ['pk = :p AND sk = :s', [{ operator: '=', value: { N: '1' } }]],
    ['sk <= :s and pk = :p', [{ operator: '<=', value: { N: '1' } }]],
    ['pk = :p AND :s < sk', [{ operator: '>', value: { N: '1' } }]],
    ['pk = :p AND :s <= sk', [{ operator: '>=', value: { N: '1' } }]],
    ['pk = :p AND :s > sk', [{ operator: '<', value: { N: '1' } }]],
    ['pk = :p AND :s >= sk', [{ operator: '<=', value: { N: '1' } }]],
    ['pk = :p AND :s = sk', [{ operator: '=', value: { N: '1' } }]],
    ['pk = :p AND sk < :s', [{ operator: '<', value: { N: '1' } }]],
    ['pk = :p AND sk >= :s', [{ operator: '>=', value: { N: '1' } }]],
    ['((pk = :p) AND (sk BETWEEN :s AND :t))', [{ operator: 'between', from: { N: '1' }, to: { N: '2' } }]],
  ])('%s', (text, sort) => {
    expect(bind(text)).toEqual({ partition, sort })
  })

  it('may ask for a prefix of a text', () => {
    const schema: KeyAttributes = { hash: table.hash, range: [{ name: 'sk', type: 'S' }] }
    expect(bind('pk = :p AND begins_with(sk, :text)', schema).sort).toEqual([
      { operator: 'begins_with', prefix: { S: '1' } },
    ])
  })

  it('of an index with several key attributes needs all of the hash and a beginning of the range', () => {
    const schema: KeyAttributes = {
      hash: [{ name: 'h1' }, { name: 'h2' }],
      range: [{ name: 'r1' }, { name: 'r2' }],
    }
    expect(bind('h2 = :s AND h1 = :p AND r2 > :t AND r1 = :s', schema)).toEqual({
      partition: [{ S: 'a' }, { N: '1' }],
      sort: [
        { operator: '=', value: { N: '1' } },
        { operator: '>', value: { N: '2' } },
      ],
    })
    expect(bind('h1 = :p AND h2 = :s', schema).sort).toEqual([])
    expect(bind('h1 = :p AND h2 = :s AND r1 > :t', schema).sort).toEqual([
      { operator: '>', value: { N: '2' } },
    ])
    expect(() => bind('h1 = :p', schema)).toThrow('Query condition missed key schema element: h2')
    expect(() => bind('h1 = :p AND h2 = :s AND r2 = :t', schema)).toThrow(
      'RANGE key attributes r1 must have equality conditions specified in the query because a condition is present on key attribute r2',
    )
    expect(() => bind('h1 = :p AND h2 = :s AND r1 > :s AND r2 = :t', schema)).toThrow(
      'RANGE key attributes r1 must have equality conditions',
    )
  })
})

const type = 'One or more parameter values were invalid: Condition parameter type does not match schema type'

describe('a key condition is refused', () => {
  const operator = (name: string) => `Invalid operator used in KeyConditionExpression: ${name}`
  const condition = (what: string) => `Invalid condition in KeyConditionExpression: ${what}`

  it.each([
    ['sk = :s', 'Query condition missed key schema element: pk'],
    ['pk = :p AND tag = :s', 'Query condition missed key schema element: sk'],
    ['pk > :p', 'Query key condition not supported'],
    ['begins_with(pk, :p)', 'Query key condition not supported'],
    ['pk = :p OR sk = :s', operator('OR')],
    ['NOT pk = :p', operator('NOT')],
    ['pk = :p AND sk <> :s', operator('<>')],
    ['pk = :p AND sk IN (:s)', operator('IN')],
    ['pk = :p AND attribute_exists(sk)', operator('attribute_exists')],
    ['pk = :p AND contains(sk, :s)', operator('contains')],
    [
      'pk = :p AND sk = :s AND sk > :s',
      'Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key',
    ],
    [
      'pk = :p AND sk = :s AND tag = :s',
      'The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)',
    ],
    ['pk = :p AND size(sk) = :s', 'KeyConditionExpressions cannot contain nested operations'],
    ['pk = :p AND sk = size(tag)', 'KeyConditionExpressions cannot contain nested operations'],
    ['pk = :p AND sk BETWEEN :s AND size(tag)', 'KeyConditionExpressions cannot contain nested operations'],
    ['begins_with(pk, size(tag))', 'KeyConditionExpressions cannot contain nested operations'],
    ['pk = sk', condition('Multiple attribute names used in one condition')],
    ['pk = :p AND sk BETWEEN :s AND tag', condition('Multiple attribute names used in one condition')],
    ['pk = :p AND sk BETWEEN tag AND :s', condition('Multiple attribute names used in one condition')],
    ['begins_with(pk, tag)', condition('Multiple attribute names used in one condition')],
    [':p = :text', condition('No key attribute specified')],
    [
      'pk = :p AND begins_with(:text, sk)',
      condition('begins_with operator must have the key attribute as its first operand'),
    ],
    [
      'pk = :p AND :s BETWEEN sk AND :s',
      condition('BETWEEN operator must have the key attribute as its first operand'),
    ],
    ['pk.x = :p', 'KeyConditionExpressions cannot have conditions on nested attributes'],
    ['pk = :p AND tag.x < :s', 'KeyConditionExpressions cannot have conditions on nested attributes'],
    ['pk = :s', type],
    ['pk = :list', type],
    ['pk = :p AND sk = :text', type],
    ['pk = :p AND begins_with(sk, :text)', type],
    ['pk = :p AND sk BETWEEN :p AND :p', type],
    [
      'pk = :empty AND sk = :s',
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    ],
    [
      'pk = :p AND sk BETWEEN :t AND :s',
      'Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}',
    ],
    [
      'pk = :p AND begins_with(sk, :s)',
      'Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
    ],
    ['pk', 'Invalid KeyConditionExpression: Syntax error; token: "<EOF>", near: "pk"'],
    ['', 'Invalid KeyConditionExpression: The expression can not be empty;'],
  ])('%s', (text, message) => {
    expect(() => bind(text)).toThrow(expect.objectContaining({ message: message }))
  })
})

describe('a key condition on an attribute without a known type', () => {
  const schema: KeyAttributes = { hash: [{ name: 'pk' }], range: [{ name: 'sk' }] }

  it('takes a value of any type that a key can have, and of no other', () => {
    expect(bind('pk = :s', schema).partition).toEqual([{ N: '1' }])
    expect(() => bind('pk = :list', schema)).toThrow(type)
    expect(() => bind('pk = :p AND sk = :list', schema)).toThrow(
      expect.objectContaining({ code: 'key-condition.refused' }),
    )
  })
})

describe('a table without a sort key', () => {
  it.each([
    ['pk = :p AND sk = :s', 'Query key condition not supported'],
    [
      'pk = :p AND sk = :s AND tag = :s',
      'The number of query conditions (3) exceeds the number of key attributes defined in the schema (1)',
    ],
  ])('takes a condition on its key alone, not %s', (text, message) => {
    const schema = { hash: table.hash, range: [] }
    expect(bind('pk = :p', schema)).toEqual({ partition: [{ S: 'a' }], sort: [] })
    expect(() => bind(text, schema)).toThrow(expect.objectContaining({ message }))
  })
})

describe('a sort key of more than 1,024 bytes', () => {
  const bound = (text: string, length: number) =>
    bindKeyCondition(
      parseCondition('KeyConditionExpression', text),
      new Placeholders({}, { ':p': { S: 'p' }, ':a': { S: 'a' }, ':long': { S: 'x'.repeat(length) } }),
      { hash: [{ name: 'pk', type: 'S' }], range: [{ name: 'sk', type: 'S' }] },
    )

  it.each(['sk = :long', 'sk < :long', 'begins_with(sk, :long)', 'sk BETWEEN :a AND :long'])(
    'cannot be asked for: %s',
    (test) => {
      expect(bound(`pk = :p AND ${test}`, 1024).sort).toHaveLength(1)
      expect(() => bound(`pk = :p AND ${test}`, 1025)).toThrow(
        'Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
      )
    },
  )
})
