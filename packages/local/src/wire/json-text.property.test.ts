import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { printInSteps } from './json-text.js'

const RUNS = inject('trials') === 'many' ? 1_000 : 100

function printed(response: object) {
  const steps = printInSteps(response)
  let count = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) count++
  return { text: step.value, count }
}

it('prints what JSON.stringify prints', () => {
  const response = fc.oneof(fc.object({ maxDepth: 5 }), fc.array(fc.object({ maxDepth: 4 })))
  fc.assert(
    fc.property(response, (value) => {
      const response = JSON.parse(JSON.stringify(value))
      expect(printed(response).text).toBe(JSON.stringify(response))
    }),
    { numRuns: RUNS },
  )
})

it('omits members without a value', () => {
  expect(printed({ Responses: [{ Item: undefined }], More: undefined }).text).toBe('{"Responses":[{}]}')
})

it('prints items with lists of any length, and steps within a long one', () => {
  const element = fc.constantFrom({ NULL: true }, { S: '"€' }, { L: [] })
  const length = fc.constantFrom(0, 1, 8_191, 8_192, 8_193, 20_000)
  fc.assert(
    fc.property(element, length, (each, count) => {
      const v = { L: Array.from({ length: count }, () => each) }
      const response = { Responses: [{ Item: { a: { S: 'x' }, v, z: { M: { v } } } }, {}] }
      const { text } = printed(response)
      const whole = typeof text === 'string' ? text : Buffer.concat(text.pieces).toString()
      expect(whole).toBe(JSON.stringify(response))
    }),
    { numRuns: 30 },
  )
  const large = { L: Array.from({ length: 95_000 }, () => ({ NULL: true })) }
  expect(printed({ Responses: [{ Item: { v: large } }] }).count).toBeGreaterThan(3)
})

it('prints a long response in pieces of whole characters, with its size and its checksum', () => {
  const items = Array.from({ length: 40 }, (_, number) => ({
    pk: { S: `${number}` },
    v: { S: '€🌡'.repeat(10_000) },
  }))
  const response = { Responses: { orders: items }, UnprocessedKeys: {} }
  const { text, count } = printed(response)
  if (typeof text === 'string') throw new Error('The response is in one piece.')
  const whole = Buffer.concat(text.pieces)
  expect(whole.toString()).toBe(JSON.stringify(response))
  expect(text).toMatchObject({ bytes: whole.length, checksum: crc32(whole) })
  expect(count).toBeGreaterThan(2)
})
