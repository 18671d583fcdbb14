import { expect, it } from 'vitest'
import { parseCondition } from './parse-condition.js'
import { isReservedWord } from './reserved-words.js'

it.each(['STATUS', 'status', 'Name', 'ttl', 'zone', 'abort', 'size'])(
  '%s is reserved, in any case',
  (word) => {
    expect(isReservedWord(word)).toBe(true)
  },
)

it.each(['pk', 'id', 'statuses', 'remove', '', '__proto__', 'toString'])('%s is not', (word) => {
  expect(isReservedWord(word)).toBe(false)
})

it('is for the service to refuse where nobody says which words are reserved', () => {
  expect(() => parseCondition('FilterExpression', 'status = :v')).not.toThrow()
})
