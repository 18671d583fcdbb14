import { describe, expect, it } from 'vitest'
import { GatheredPage } from './gathered-page.js'
import type { QueryPlan } from './query-plan.js'

const START = { sort: { N: '1' }, shard: 2, key: { pk: { S: 'k_2' } } }

const pageOf = ({ isUnique = true } = {}) =>
  new GatheredPage({ cursor: START, source: { isUnique } } as unknown as QueryPlan)

const piece = { scanned: 2, passed: 1, evaluatedBytes: 10, capacity: undefined }

describe('a page that is gathered', () => {
  it('sums the attempts, the waits, the items and the capacity of all of its requests', () => {
    const page = pageOf()
    page.read({
      ...piece,
      capacity: { CapacityUnits: 1 },
      metadata: { requestId: 'a', attempts: 2, totalRetryDelay: 30 },
    })
    page.read({ ...piece, capacity: { CapacityUnits: 2 }, metadata: { requestId: 'b', totalRetryDelay: 5 } })
    expect(page).toMatchObject({ requests: 2, scanned: 4 })
    expect(page.capacity).toEqual({ CapacityUnits: 3 })
    expect(page.metadata).toEqual({ requestId: 'b', attempts: 3, totalRetryDelay: 35 })
  })

  it('begins at its cursor, and is not the last one until that is known', () => {
    expect(pageOf()).toMatchObject({ place: START, isLast: false, items: [] })
  })

  it('ends at a position without an item, where that has a key', () => {
    const page = pageOf()
    const place = { sort: { N: '5' }, shard: 3 }
    expect(page.reach({ ...place, key: undefined })).toBe(true)
    expect(page.place).toEqual({ ...place, key: {} })
    const key = { pk: { S: 'k_3' } }
    expect(page.reach({ ...place, key })).toBe(true)
    expect(page.place).toEqual({ ...place, key })
  })

  it('cannot end where sort keys may be equal and no item is', () => {
    const page = pageOf({ isUnique: false })
    expect(page.reach({ sort: { N: '5' }, shard: 3, key: undefined })).toBe(false)
    expect(page.place).toEqual(START)
    const key = { pk: { S: 'k_3' } }
    expect(page.reach({ sort: { N: '5' }, shard: 3, key })).toBe(true)
    expect(page.place?.key).toEqual(key)
  })
})
