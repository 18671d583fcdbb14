import { describe, expect, it } from 'vitest'
import { larger, ON_DEMAND_START, sameThroughput, warmAtStart } from './throughput.js'

describe('throughput', () => {
  it('is the larger of two, separately for reads and writes', () => {
    expect(larger({ readUnits: 1, writeUnits: 9 }, { readUnits: 5, writeUnits: 2 })).toEqual({
      readUnits: 5,
      writeUnits: 9,
    })
  })

  it('is the same if both sides are', () => {
    const one = { readUnits: 1, writeUnits: 2 }
    expect(sameThroughput(one, { ...one })).toBe(true)
    expect(sameThroughput(one, { ...one, readUnits: 2 })).toBe(false)
    expect(sameThroughput(one, { ...one, writeUnits: 1 })).toBe(false)
  })

  it('of a new table is what it is provisioned for, or what the service gives one on demand', () => {
    const throughput = { readUnits: 7, writeUnits: 8 }
    expect(warmAtStart('PROVISIONED', throughput)).toEqual(throughput)
    expect(warmAtStart('PAY_PER_REQUEST', throughput)).toEqual({ readUnits: 12_000, writeUnits: 4_000 })
    expect(ON_DEMAND_START).toEqual({ readUnits: 12_000, writeUnits: 4_000 })
  })
})
