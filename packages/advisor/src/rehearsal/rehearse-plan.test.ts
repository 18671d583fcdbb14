import { expect, it } from 'vitest'
import { DEFAULT_PLAN_INPUT } from '../plan/default-plan-input.js'
import { planTable } from '../plan/plan-table.js'
import { rehearsePlan } from './rehearse-plan.js'

it('a rehearsal shows the throttles without shards, and that the planned ones remove them', async () => {
  const plan = planTable({
    ...DEFAULT_PLAN_INPUT,
    keys: [{ writesPerSecond: 1_500, readsPerSecond: 0 }],
    otherWritesPerSecond: 100,
  })
  const options = { draws: 3, seconds: 5 }
  const { unsharded, planned } = await rehearsePlan(plan, options)
  // A partition takes 1,000 of the 1,500 on one key.
  expect(unsharded.throttledShare).toBeGreaterThan(0.25)
  expect(unsharded.throttledShare).toBeLessThan(0.36)
  expect(planned).toMatchObject({ draws: 3, cleanDraws: 3, throttledShare: 0 })
  expect(planned?.offeredPerSecond).toBeCloseTo(1_600)
  expect(planned?.hottestPartition.worst).toBeLessThanOrEqual(0.8)
  expect(await rehearsePlan(plan, options)).toEqual({ seconds: 5, seed: 1, unsharded, planned })
})
