import { describe, expect, it } from 'vitest'
import { ValidationError } from '../validation-error.js'
import { assertAllUsed } from './assert-all-used.js'
import { bindCondition } from './bind-condition.js'
import { parseCondition } from './parse-condition.js'
import { type AttributeNames, Placeholders } from './placeholders.js'

const N1 = { N: '1' }

function bind(text: string, placeholders: Placeholders): void {
  bindCondition('ConditionExpression', parseCondition('ConditionExpression', text), placeholders)
}

describe('placeholders', () => {
  it('must be defined when an expression uses them', () => {
    expect(() => bind('#n = :v', new Placeholders({}, { ':v': N1 }))).toThrow(
      'Invalid ConditionExpression: An expression attribute name used in the document path is not defined; attribute name: #n',
    )
    expect(() => bind('n = :v', new Placeholders({}, {}))).toThrow(
      'Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: :v',
    )
  })

  it('must be used by at least one expression when they are defined', () => {
    const placeholders = new Placeholders({ '#a': 'a', '#b': 'b' }, { ':v': N1, ':w': N1, ':x': N1 })
    expect(() => assertAllUsed(placeholders)).toThrow(
      'Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}',
    )
    bind('#a = :v', placeholders)
    bind('#b = :v', placeholders)
    expect(() => assertAllUsed(placeholders)).toThrow(
      'Value provided in ExpressionAttributeValues unused in expressions: keys: {:w, :x}',
    )
    bind('#b IN (:w, :x)', placeholders)
    expect(() => assertAllUsed(placeholders)).not.toThrow()
  })

  it.each(
    [null, 5, 'a', {}, [], { N: 5 }, { S: 5 }, { S: null }, { L: null }, { S: 'a', N: '1' }].map((value) => [
      value,
    ]),
  )('must be values with one member of its type, unlike %j', (value) => {
    const placeholders = new Placeholders({}, { ':v': value as never })
    expect(() => bind('n = :v', placeholders)).toThrow(ValidationError)
    expect(() => bind('n = :v', placeholders)).toThrow(
      'ExpressionAttributeValues contains invalid value: Supplied AttributeValue is empty',
    )
  })

  it('are values without their members that are undefined, which the SDK does not send', () => {
    const placeholders = new Placeholders({}, { ':v': { S: 'a', B: undefined } as never })
    expect(Object.entries(placeholders.value('ConditionExpression', ':v'))).toEqual([['S', 'a']])
  })

  it.each<[AttributeNames, string]>([
    [{ n: 'a' }, 'contains invalid key: Syntax error; key: "n"'],
    [{ '#': 'a' }, 'contains invalid key: Syntax error; key: "#"'],
    [{ '#a-b': 'a' }, 'contains invalid key: Syntax error; key: "#a-b"'],
    [{ ':a': 'a' }, 'contains invalid key: Syntax error; key: ":a"'],
    [{ '##a': 'a' }, 'contains invalid key: Syntax error; key: "##a"'],
    [
      { [`#${'a'.repeat(255)}`]: 'a' },
      'contains invalid key: The expression attribute map contains a key that is too long; size of key: 256',
    ],
    [{ '#a': '' }, 'contains invalid value: Empty attribute name for key #a'],
    [{ '#a': undefined as never }, 'contains invalid value: Empty attribute name for key #a'],
    [
      { '#a': 'é'.repeat(32_768) },
      'contains invalid value: Attribute name is too large, must be less than 65536 bytes for key #a',
    ],
  ])('are checked themselves: %j', (names, what) => {
    expect(() => new Placeholders(names)).toThrow(
      expect.objectContaining({ message: `ExpressionAttributeNames ${what}` }),
    )
  })

  it('may have 255 characters, and names 65,535 bytes', () => {
    const names = { [`#${'a'.repeat(254)}`]: `${'é'.repeat(32_767)}a`, '#b': 'b'.repeat(65_535) }
    expect(() => new Placeholders(names, { [`:${'a'.repeat(254)}`]: N1 })).not.toThrow()
  })

  it('of values begin with a colon', () => {
    expect(() => new Placeholders({}, { '#v': N1 })).toThrow(
      'ExpressionAttributeValues contains invalid key: Syntax error; key: "#v"',
    )
    expect(() => new Placeholders({}, { [`:${'a'.repeat(255)}`]: N1 })).toThrow(
      expect.objectContaining({
        message:
          'ExpressionAttributeValues contains invalid key: The expression attribute map contains a key that is too long;',
      }),
    )
  })

  it('are refused with the broken rule as a code', () => {
    const refused = (code: string) => expect.objectContaining({ code })
    const long = { [`#${'a'.repeat(255)}`]: 'a' }
    expect(() => new Placeholders({ n: 'a' })).toThrow(refused('expression.placeholder'))
    expect(() => new Placeholders(long)).toThrow(refused('expression.placeholder'))
    expect(() => new Placeholders({ '#a': '' })).toThrow(refused('expression.attribute-name'))
    expect(() => bind('n = :v', new Placeholders({}, { ':v': {} as never }))).toThrow(
      refused('expression.placeholder'),
    )
    const unused = new Placeholders({ '#a': 'a' })
    expect(() => assertAllUsed(unused)).toThrow(refused('expression.unused-placeholder'))
  })

  it('may be called like members of every JavaScript object', () => {
    expect(() => bind('#constructor = :toString', new Placeholders({}, {}))).toThrow('is not defined')
    const names: AttributeNames = JSON.parse('{ "#__proto__": "__proto__" }')
    const placeholders = new Placeholders(names, { ':toString': N1 })
    bind('#__proto__ = :toString', placeholders)
    expect(() => assertAllUsed(placeholders)).not.toThrow()
  })
})
