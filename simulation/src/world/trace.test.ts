import { describe, expect, it } from 'vitest'
import { Trace } from './trace.js'

function hashOf(input: object, keepsLines = false): string {
  const trace = new Trace(() => 0, keepsLines)
  trace.executed('p1', 'PutItem', input, 'ok')
  return trace.hash
}

describe('the hash of a trace', () => {
  const put = (key: string, value: string) => ({
    TableName: 'log',
    Item: { key: { S: key }, val: { S: value } },
  })

  it('is the same for the same requests, whether or not lines are kept', () => {
    expect(hashOf(put('a', 'b'))).toBe(hashOf(put('a', 'b')))
    expect(hashOf(put('a', 'b'), true)).toBe(hashOf(put('a', 'b')))
  })

  it.each([
    ['a key', put('b', 'b')],
    ['a value', put('a', 'c')],
    ['what moved from one to the next', put('ab', '')],
    ['a condition', { ...put('a', 'b'), ConditionExpression: 'attribute_exists(val)' }],
  ])('tells %s', (_what, other) => expect(hashOf(other)).not.toBe(hashOf(put('a', 'b'))))
})
