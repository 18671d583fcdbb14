import { expect, it } from 'vitest'
import { GatheredPage } from './gathered-page.js'
import type { QueryPlan } from './query-plan.js'

it('never ends before the place where the page before ended', () => {
  const key = { day: { S: 'b' } }
  const cursor = { sort: { S: 'b' }, shard: 3, key }
  const order = { direction: 1, parted: true } as const
  const page = new GatheredPage({ cursor, order, source: { isUnique: false } } as unknown as QueryPlan)
  expect(page.reach({ sort: { S: 'b' }, shard: 2, key })).toBe(false)
  expect(page.place).toEqual(cursor)
  expect(page.reach({ sort: { S: 'b' }, shard: 4, key })).toBe(true)
  expect(page.place).toEqual({ ...cursor, shard: 4 })
})
