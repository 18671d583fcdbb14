import { describe, expect, it } from 'vitest'
import { jump } from './jump.js'

describe('the jump hash', () => {
  it('never changes: what is stored has to be found by every version', () => {
    const hashes = [0n, 1n, 0xdead_beefn, 2n ** 63n, 2n ** 64n - 1n]
    const bucketsOf = (count: number) => hashes.map((hash) => jump(hash, count))
    expect(bucketsOf(1)).toEqual([0, 0, 0, 0, 0])
    expect(bucketsOf(2)).toEqual([0, 0, 1, 1, 1])
    expect(bucketsOf(10)).toEqual([0, 6, 5, 5, 9])
    expect(bucketsOf(1_000)).toEqual([0, 549, 285, 453, 313])
  })
})
