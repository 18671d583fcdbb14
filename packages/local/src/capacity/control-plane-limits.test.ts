import { describe, expect, it } from 'vitest'
import {
  ControlPlaneAdmission,
  ControlPlaneThrottled,
  NO_CONTROL_PLANE_LIMITS,
  REAL_CONTROL_PLANE_LIMITS,
} from './control-plane-limits.js'

/** How many of these requests are admitted at one moment. */
function admitted(admission: ControlPlaneAdmission, operations: readonly string[], now: number): number {
  let count = 0
  for (const operation of operations) {
    try {
      admission.admit(operation, now)
      count += 1
    } catch (error) {
      expect(error).toBeInstanceOf(ControlPlaneThrottled)
      expect(error).toMatchObject({ name: 'ControlPlaneThrottled', message: 'Rate exceeded' })
    }
  }
  return count
}

const times = (count: number, ...operations: readonly string[]) =>
  Array.from({ length: count }, (_, index) => operations[index % operations.length] ?? '')

describe('control plane requests', () => {
  it.each([
    [
      'that change tables',
      ['CreateTable', 'UpdateTable', 'DeleteTable', 'TagResource', 'UntagResource', 'UpdateTimeToLive'],
      2_500,
    ],
    [
      'that describe tables',
      ['DescribeTable', 'ListTables', 'ListTagsOfResource', 'DescribeTimeToLive'],
      2_500,
    ],
    ['for insights', ['ListContributorInsights'], 5],
  ])('%s are admitted up to their rate, all operations together', (_name, operations, perSecond) => {
    const admission = new ControlPlaneAdmission(REAL_CONTROL_PLANE_LIMITS, 0)
    expect(admitted(admission, times(perSecond + 10, ...operations), 0)).toBe(perSecond)
    expect(admitted(admission, times(perSecond, ...operations), 500)).toBe(Math.floor(perSecond / 2))
    expect(admitted(admission, times(perSecond + 10, ...operations), 10_000)).toBe(perSecond)
  })

  it('for insights have a rate for each operation', () => {
    const admission = new ControlPlaneAdmission(REAL_CONTROL_PLANE_LIMITS, 0)
    for (const operation of [
      'UpdateContributorInsights',
      'DescribeContributorInsights',
      'ListContributorInsights',
    ]) {
      expect(admitted(admission, times(6, operation), 0)).toBe(5)
    }
  })

  it('for the limits of the account are admitted once a minute', () => {
    const admission = new ControlPlaneAdmission(REAL_CONTROL_PLANE_LIMITS, 0)
    expect(admitted(admission, times(2, 'DescribeLimits'), 0)).toBe(1)
    expect(admitted(admission, times(1, 'DescribeLimits'), 59_000)).toBe(0)
    expect(admitted(admission, times(2, 'DescribeLimits'), 60_000)).toBe(1)
  })

  it('have no limit if there is none, and no other operation has one', () => {
    const free = new ControlPlaneAdmission(NO_CONTROL_PLANE_LIMITS, 0)
    const operations = ['CreateTable', 'DescribeTable', 'ListContributorInsights', 'DescribeLimits']
    expect(admitted(free, times(20_000, ...operations), 0)).toBe(20_000)
    const real = new ControlPlaneAdmission(REAL_CONTROL_PLANE_LIMITS, 0)
    expect(admitted(real, times(5_000, 'PutItem'), 0)).toBe(5_000)
  })

  it('may change as many tables at once as the documents say', () => {
    expect(REAL_CONTROL_PLANE_LIMITS).toMatchObject({ changesAtOnce: 500, changesAtOnceWithIndexes: 250 })
    expect(NO_CONTROL_PLANE_LIMITS.changesAtOnce).toBe(Number.POSITIVE_INFINITY)
    expect(NO_CONTROL_PLANE_LIMITS.changesAtOnceWithIndexes).toBe(Number.POSITIVE_INFINITY)
  })
})
