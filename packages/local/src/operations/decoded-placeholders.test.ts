import {
  type AttributeNames,
  assertAllUsed,
  bindCondition,
  bindUpdate,
  type Item,
  Placeholders,
  parseCondition,
  parseUpdate,
  reservedWordText,
} from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import { DecodedPlaceholders } from './decoded-placeholders.js'

const ONE = { ':one': { N: '1' } }

describe('the placeholders of a request with decoded values', () => {
  it.each<[string, string, AttributeNames | undefined, Item | undefined]>([
    ['SET visits = visits + :one', 'attribute_exists(pk) AND visits < :one', undefined, ONE],
    ['SET #v = #v + :one', 'attribute_exists(#p) AND #v < :one', { '#v': 'visits', '#p': 'pk' }, ONE],
    ['SET a.#v[3].b = :one', 'size(a.#v[3]) > :one', { '#v': 'visits' }, ONE],
    ['REMOVE a[1], b.c', 'attribute_not_exists(a[1])', undefined, undefined],
  ])('resolve %s as others do, also when it is asked for again', (update, condition, names, values) => {
    const updateAst = parseUpdate(update, reservedWordText)
    const conditionAst = parseCondition('ConditionExpression', condition, reservedWordText)
    const boundBy = (placeholders: Placeholders) => [
      bindUpdate(updateAst, placeholders),
      bindCondition('ConditionExpression', conditionAst, placeholders),
    ]
    const expected = boundBy(new Placeholders(names, values))
    for (const _ of ['first', 'second']) {
      const placeholders = new DecodedPlaceholders(names, values)
      expect(boundBy(placeholders)).toEqual(expected)
      expect(() => placeholders.assertAllUsed()).not.toThrow()
    }
  })

  it('are resolved by the names of their own request', () => {
    const ast = parseUpdate('REMOVE #a', reservedWordText)
    const touchedBy = (name: string) => bindUpdate(ast, new DecodedPlaceholders({ '#a': name })).touched
    expect([touchedBy('first'), touchedBy('second')]).toEqual([[['first']], [['second']]])
  })

  it.each<[string, AttributeNames | undefined, Item | undefined]>([
    ['a value', undefined, { ...ONE, ':two': { N: '2' }, ':three': { N: '3' } }],
    ['a value, besides a name', { '#v': 'visits' }, { ...ONE, ':two': { N: '2' } }],
    ['a name', { '#v': 'visits', '#w': 'w' }, ONE],
    ['a name, without values', { '#v': 'visits' }, undefined],
    ['a value, for a value that is used twice', undefined, { ...ONE, ':two': { N: '2' } }],
  ])('are refused if no expression uses %s', (_, names, values) => {
    const used = (placeholders: Placeholders) => {
      if (values !== undefined) {
        placeholders.value('UpdateExpression', ':one')
        placeholders.value('UpdateExpression', ':one')
      }
      return placeholders
    }
    const refusal = messageOf(() => assertAllUsed(used(new Placeholders(names, values))))
    const placeholders = new DecodedPlaceholders(names, values)
    used(placeholders)
    expect(refusal).toContain('unused in expressions')
    expect(messageOf(() => placeholders.assertAllUsed())).toBe(refusal)
  })

  it('are refused if an expression uses one that is not defined, and none of an object is a value', () => {
    for (const placeholder of [':two', ':constructor', 'constructor']) {
      const ask = (placeholders: Placeholders) =>
        messageOf(() => placeholders.value('UpdateExpression', placeholder))
      expect(ask(new DecodedPlaceholders(undefined, ONE))).toBe(ask(new Placeholders(undefined, ONE)))
      expect(ask(new DecodedPlaceholders(undefined, ONE))).toContain('is not defined')
    }
  })
})

function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'nothing was thrown'
}
