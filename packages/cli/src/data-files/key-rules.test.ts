import { expect, it } from 'vitest'
import { keyRulesOf } from './key-rules.js'

const { keyOf } = keyRulesOf('orders', {
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }],
})
const keyOfNumber = (N: string) => keyOf({ id: { N } })

it.each([
  ['1', '1.0'],
  ['10000000000000000001', '10000000000000000001.00'],
  ['120', ' 1.2e2 '],
])('%s and %s are one key', (one, other) => {
  expect(keyOfNumber(other)).toBe(keyOfNumber(one))
})

it('neighbours of nineteen digits are two keys', () => {
  expect(keyOfNumber('1764350000000000001')).not.toBe(keyOfNumber('1764350000000000002'))
})

it('a number that no item can have is left to the service', () => {
  expect(keyOfNumber('1e400')).toContain('1e400')
})
