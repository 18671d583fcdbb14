import { describe, expect, it } from 'vitest'
import { bindUpdate } from './bind-update.js'
import { createsItem } from './creates-item.js'
import { parseUpdate } from './parse-update.js'
import { Placeholders } from './placeholders.js'
import { returnedAttributes } from './returned-attributes.js'

const bind = (text: string) =>
  bindUpdate(parseUpdate(text), new Placeholders({}, { ':n': { N: '2' }, ':set': { SS: ['a'] } }))

describe('an update returns', () => {
  const before = { pk: { S: 'k' }, n: { N: '1' } }
  const after = { pk: { S: 'k' }, n: { N: '2' } }

  it.each([
    ['ALL_NEW', after],
    ['ALL_OLD', before],
    ['UPDATED_NEW', { n: { N: '2' } }],
    ['UPDATED_OLD', { n: { N: '1' } }],
    ['NONE', undefined],
    [undefined, undefined],
  ])('what the request wants: %s', (wanted, attributes) => {
    expect(returnedAttributes(wanted, bind('SET n = :n'), before, after)).toEqual(attributes)
  })

  it('nothing of attributes that are not there, and of an item that is not there', () => {
    for (const wanted of ['UPDATED_NEW', 'UPDATED_OLD']) {
      expect(returnedAttributes(wanted, bind('REMOVE q'), before, after)).toBeUndefined()
      expect(returnedAttributes(wanted, bind('SET n = :n'), undefined, undefined)).toBeUndefined()
    }
  })
})

describe('an update of an item that does not exist', () => {
  it.each([
    ['SET n = :n', true],
    ['ADD n :n', true],
    ['REMOVE n', false],
    ['DELETE n :set', false],
    ['REMOVE n DELETE m :set', false],
    ['REMOVE n ADD m :n', true],
    ['DELETE n :set SET m = :n', true],
  ])('creates it if it writes something: %s', (text, creates) => {
    expect(createsItem(bind(text))).toBe(creates)
  })

  it('creates it from its key if it has no action', () => {
    expect(createsItem({ set: [], remove: [], add: [], delete: [], touched: [] })).toBe(true)
  })
})
