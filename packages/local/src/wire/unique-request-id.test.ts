import { expect, it } from 'vitest'
import { uniqueRequestId } from './unique-request-id.js'

it('gives each response another id in the form of a random UUID', () => {
  const ids = Array.from({ length: 1000 }, uniqueRequestId)
  expect(new Set(ids).size).toBe(1000)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})
