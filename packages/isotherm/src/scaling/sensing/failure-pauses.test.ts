import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { noResponse } from '../../../test/scripted-client.js'
import { FailurePauses } from './failure-pauses.js'

const LASTING = 30_000
const half = { next: () => 0.5 } as SeededRandom

describe('the pause after a failure', () => {
  it('is one to two seconds at first, at random', () => {
    const random = new SeededRandom(1)
    const pauses = Array.from({ length: 100 }, () => new FailurePauses().after(noResponse(), random, LASTING))
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1_000)
    expect(Math.max(...pauses)).toBeLessThan(2_000)
    expect(new Set(pauses).size).toBe(100)
  })

  it('doubles up to eight seconds, and is short again after a success', () => {
    const pauses = new FailurePauses()
    const after = () => pauses.after(noResponse(), half, LASTING)
    expect(Array.from({ length: 6 }, after)).toEqual([1_500, 3_000, 6_000, 8_000, 8_000, 8_000])
    pauses.succeeded()
    expect(after()).toBe(1_500)
  })

  it('is long if the error would come again', () => {
    const pauses = new FailurePauses()
    expect(pauses.after(new Error('a bug'), half, LASTING)).toBe(LASTING)
    expect(pauses.after(noResponse(), half, LASTING)).toBe(1_500)
  })
})
