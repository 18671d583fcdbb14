import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { requestToken } from './request-token.js'

/** The service accepts tokens of 1 to 36 characters. */
describe('the token of a transaction', () => {
  it('has 128 bits in 32 characters, whatever chance draws', () => {
    expect(requestToken({ next: () => 0 })).toBe('0'.repeat(32))
    expect(requestToken({ next: () => 1 - 2 ** -32 })).toBe('f'.repeat(32))
    const parts = [1 / 16, 10 / 2 ** 32, 0.5, 0.75]
    expect(requestToken({ next: () => parts.shift() ?? 0 })).toBe('100000000000000a80000000c0000000')
  })

  it('is another one each time', () => {
    const random = new SeededRandom(1)
    const tokens = Array.from({ length: 1_000 }, () => requestToken(random))
    expect(new Set(tokens).size).toBe(1_000)
    for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{32}$/)
  })
})
