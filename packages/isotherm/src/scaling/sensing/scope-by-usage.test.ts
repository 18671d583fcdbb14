import { describe, expect, it } from 'vitest'
import { scopeByUsage } from './scope-by-usage.js'
import type { TableCapacity } from './table-capacity.js'

const provisioned = (writeUnits: number, readUnits = 10_000): TableCapacity => ({
  mode: 'provisioned',
  readUnits,
  writeUnits,
  isUpdating: false,
})
const onDemand = (limits: { maximum?: number; warm?: number } = {}): TableCapacity => {
  const both = { maximum: limits.maximum, warm: limits.warm }
  return { mode: 'on-demand', read: both, write: both }
}
const used = (unitsPerSecond: number, partition = 0, table = 0) =>
  partition + table === 0 ? { unitsPerSecond } : { unitsPerSecond, throttles: { partition, table } }

describe('the scope of a throttle without reasons', () => {
  it('is the table where the whole of it has no more capacity than a partition', () => {
    expect(scopeByUsage('write', provisioned(1_000), undefined)).toBe('table')
    expect(scopeByUsage('read', provisioned(40_000, 3_000), undefined)).toBe('table')
    expect(scopeByUsage('write', onDemand({ maximum: 800 }), undefined)).toBe('table')
  })

  it('is unknown without figures of the whole table', () => {
    expect(scopeByUsage('write', provisioned(1_001), undefined)).toBe('unknown')
    expect(scopeByUsage('read', provisioned(1_000, 3_001), undefined)).toBe('unknown')
    expect(scopeByUsage('write', onDemand({ warm: 40_000 }), undefined)).toBe('unknown')
  })

  it('follows the share of its capacity that a provisioned table uses', () => {
    expect(scopeByUsage('write', provisioned(4_000), used(3_900))).toBe('table')
    expect(scopeByUsage('write', provisioned(4_000), used(1_200))).toBe('partition')
    expect(scopeByUsage('read', provisioned(4_000, 10_000), used(3_900))).toBe('partition')
  })

  it('follows the throttles of each resource, where they are counted', () => {
    expect(scopeByUsage('write', provisioned(4_000), used(3_900, 500))).toBe('partition')
    expect(scopeByUsage('write', provisioned(4_000), used(2_000, 500, 500))).toBe('table')
    expect(scopeByUsage('write', provisioned(4_000), used(2_000, 500, 5))).toBe('partition')
  })

  it('is careful with an on-demand table: the service adds partitions by itself', () => {
    expect(scopeByUsage('write', onDemand({ warm: 40_000 }), used(9_000))).toBe('partition')
    expect(scopeByUsage('write', onDemand({ warm: 40_000 }), used(38_000))).toBe('table')
    expect(scopeByUsage('write', onDemand({ warm: 40_000, maximum: 10_000 }), used(9_000))).toBe('table')
    // Every table begins with four partitions. How many it has by now is not known.
    expect(scopeByUsage('write', onDemand(), used(1_000))).toBe('partition')
    expect(scopeByUsage('write', onDemand(), used(5_000))).toBe('unknown')
    expect(scopeByUsage('read', onDemand(), used(5_000))).toBe('partition')
  })

  it('changes at four fifths of a capacity, and at a tenth of the throttles', () => {
    expect(scopeByUsage('write', provisioned(4_000), used(3_200))).toBe('table')
    expect(scopeByUsage('write', provisioned(4_000), used(3_199))).toBe('partition')
    expect(scopeByUsage('write', onDemand({ maximum: 4_000 }), used(3_200))).toBe('table')
    expect(scopeByUsage('write', onDemand({ maximum: 4_000 }), used(3_199))).toBe('partition')
    expect(scopeByUsage('write', onDemand({ warm: 40_000 }), used(32_000))).toBe('table')
    expect(scopeByUsage('write', onDemand({ warm: 40_000 }), used(31_999))).toBe('partition')
    expect(scopeByUsage('write', onDemand(), used(3_200))).toBe('unknown')
    expect(scopeByUsage('write', onDemand(), used(3_199))).toBe('partition')
    expect(scopeByUsage('write', provisioned(4_000), used(0, 90, 10))).toBe('table')
    expect(scopeByUsage('write', provisioned(4_000), used(0, 91, 10))).toBe('partition')
  })
})
