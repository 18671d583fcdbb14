import { describe, expect, it } from 'vitest'
import { MeanItemBytes } from './mean-item-bytes.js'
import { PageBudget } from './page-budget.js'
import type { QueryPlan } from './query-plan.js'

const MEGABYTE = 1_048_576
const UNIT = 4_096

interface Setting {
  readonly limit?: number
  readonly filtered?: boolean
  readonly shards?: number
  /** The mean size of items, if anything was read before. */
  readonly known?: number
}

function budgetOf({ limit, filtered = false, shards = 4, known }: Setting): PageBudget {
  const mean = new MeanItemBytes()
  if (known !== undefined) mean.observe(known, 1)
  const budget = new PageBudget({ limit, filtered } as QueryPlan, mean)
  budget.begin(shards)
  return budget
}

function read(budget: PageBudget, scanned: number, passed: number, bytes: number): void {
  budget.read({ scanned, passed, evaluatedBytes: bytes, capacity: undefined, metadata: {} })
}

describe('a page', () => {
  it('is full at its limit', () => {
    const budget = budgetOf({ limit: 3 })
    expect([budget.take(10), budget.take(10), budget.take(10)]).toEqual([false, false, true])
    expect(budget.items).toBe(3)
  })

  it('is full at exactly 1 MB, as without shards', () => {
    const budget = budgetOf({})
    expect([budget.take(MEGABYTE / 2), budget.take(MEGABYTE / 2 - 1), budget.take(1)]).toEqual([
      false,
      false,
      true,
    ])
  })

  it('counts an item of unknown size with the mean size', () => {
    const budget = budgetOf({ known: MEGABYTE / 2 })
    expect([budget.take(0), budget.take(0)]).toEqual([false, true])
  })

  it('of one shard ends with its response', () => {
    expect(budgetOf({ shards: 1 }).isSpent).toBe(true)
    expect(budgetOf({ shards: 2 }).isSpent).toBe(false)
  })

  it('with a filter ends after two rounds, which begin again with other shards', () => {
    const budget = budgetOf({ filtered: true })
    budget.countRound()
    expect(budget.isSpent).toBe(false)
    budget.countRound()
    expect(budget.isSpent).toBe(true)
    budget.begin(4)
    expect(budget.isSpent).toBe(false)
  })

  it('without a filter does not end before it is full', () => {
    const budget = budgetOf({})
    for (let round = 0; round < 5; round++) budget.countRound()
    expect(budget.isSpent).toBe(false)
  })
})

describe('the items that still fit into a page', () => {
  it('are the rest of the limit', () => {
    const budget = budgetOf({ limit: 100 })
    for (let item = 0; item < 30; item++) budget.take(10)
    expect(budget.remainingItems).toBe(70)
  })

  it('are those that passed and those that did not, with a filter', () => {
    const budget = budgetOf({ limit: 100, filtered: true })
    read(budget, 40, 5, 40 * 100)
    for (let item = 0; item < 5; item++) budget.take(100)
    expect(budget.remainingItems).toBe(60)
  })

  it('are no more than 1 MB holds', () => {
    const budget = budgetOf({ limit: 1_000, known: 10_000 })
    expect(budget.remainingItems).toBeCloseTo(MEGABYTE / 10_000)
    for (let item = 0; item < 50; item++) budget.take(10_000)
    expect(budget.remainingItems).toBeCloseTo(MEGABYTE / 10_000 - 50)
  })

  it('are no more than 1 MB holds with those that did not pass a filter', () => {
    const budget = budgetOf({ filtered: true, known: 10_000 })
    read(budget, 50, 1, 500_000)
    budget.take(10_000)
    expect(budget.remainingItems).toBeCloseTo(MEGABYTE / 10_000 - 50)
  })

  it('are at least one, so that a page always advances', () => {
    const budget = budgetOf({ filtered: true, limit: 10 })
    read(budget, 10, 0, 1_000)
    expect(budget.remainingItems).toBe(1)
  })
})

describe('the first request to each of several shards', () => {
  it('is for one standard deviation above the fair share while the size of items is unknown', () => {
    expect(budgetOf({ limit: 100 }).share(0)).toBe(25 + 5)
  })

  it('is for no more than the limit', () => {
    expect(budgetOf({ limit: 2, shards: 2 }).share(0)).toBe(2)
    expect(budgetOf({ limit: 1, shards: 2 }).share(0)).toBe(1)
  })

  it('is for what whole units pay for, nearest to 70 % of the fair share', () => {
    // 8 items of 512 bytes are one unit. 70 % of 25 is 17.5: two units.
    expect(budgetOf({ limit: 100, known: 512 }).share(0)).toBe(16)
    // 70 % of 6.25 is 4.4. One unit pays for 8.
    expect(budgetOf({ limit: 100, shards: 16, known: 512 }).share(0)).toBe(8)
  })

  it('is for 70 % of the fair share of items that take more than a unit', () => {
    expect(budgetOf({ limit: 100, known: 5_000 }).share(0)).toBe(18)
  })

  it('is for a part of 1 MB without a limit', () => {
    // 256 items of 4 KB.
    expect(budgetOf({}).share(0)).toBe(45)
    // 70 % of 512 items of 512 bytes are 44.8 units. Without a limit, a filter changes nothing.
    expect(budgetOf({ filtered: true, known: 512 }).share(0)).toBe(45 * 8)
  })

  it('is for all that the units of the fair share pay for, with a filter', () => {
    // 13 items of 512 bytes take two units, which pay for 16.
    expect(budgetOf({ limit: 50, filtered: true, known: 512 }).share(0)).toBe(16)
    // With 12 to a unit, 13 of them take two.
    expect(budgetOf({ limit: 52, filtered: true, known: 341 }).share(0)).toBe(24)
  })

  it('is for the limit where there is only one shard', () => {
    expect(budgetOf({ limit: 100, shards: 1 }).share(0)).toBe(100)
    expect(budgetOf({ shards: 1 }).share(0)).toBeUndefined()
  })
})

describe('a later request', () => {
  it('to a shard of which nothing is known is for twice as many items', () => {
    expect(budgetOf({ limit: 100 }).share(10)).toBe(20)
    expect(budgetOf({ limit: 12 }).share(10)).toBe(12)
  })

  it('is for what the units of 80 % of the expected items pay for', () => {
    // 80 % of 11 are 8.8 items of 512 bytes: two units.
    expect(budgetOf({ limit: 100, known: 512 }).shareOf(11)).toBe(16)
    expect(budgetOf({ limit: 100, known: 512 }).shareOf(10)).toBe(8)
    expect(budgetOf({ limit: 100, known: 512 }).shareOf(0)).toBe(8)
  })

  it('is for no more than fits into the page', () => {
    expect(budgetOf({ limit: 5, known: 512 }).shareOf(11)).toBe(5)
  })

  it('is for whole items', () => {
    expect(budgetOf({ known: 10_000 }).shareOf(1_000)).toBe(Math.ceil(MEGABYTE / 10_000))
    expect(budgetOf({ limit: 100, known: UNIT }).shareOf(4)).toBe(4)
  })
})

describe('the shards that are behind the others', () => {
  it('are asked for the more items the further behind they are', () => {
    const budget = budgetOf({ limit: 1_000, filtered: true, known: UNIT })
    const shares = budget.catchUpShares(3)
    expect(shares).toHaveLength(3)
    const [first = 0, second = 0, third = 0] = shares
    expect(first / second).toBeCloseTo(2, 1)
    expect(first / third).toBeCloseTo(3, 1)
    // Together, for what fits into the page.
    expect(first + second + third).toBeGreaterThanOrEqual(256)
    expect(first + second + third).toBeLessThanOrEqual(256 + 3)
  })

  it('are asked for the rest of the page, if every item may pass', () => {
    const budget = budgetOf({ limit: 200, filtered: true, known: UNIT })
    expect(budget.catchUpShares(1)).toEqual([200])
  })

  it('are asked for twice the items that are expected to fill the page', () => {
    const budget = budgetOf({ limit: 30, filtered: true, shards: 64, known: UNIT })
    // Half of the items pass, and 10 are missing.
    read(budget, 39, 19, 39 * UNIT)
    for (let item = 0; item < 20; item++) budget.take(UNIT)
    expect(budget.catchUpShares(1)).toEqual([2 * 10 * 2])
  })

  it('are asked for twice what a unit of every shard pays for, though the limit is less', () => {
    const budget = budgetOf({ limit: 20, filtered: true, shards: 16, known: 512 })
    read(budget, 19, 0, 19 * 512)
    // One of 20 passes, so 20 more would take 800 items. Of the limit, only one is left.
    expect(budget.catchUpShares(1)).toEqual([2 * 16 * 8])
  })

  it('are asked for at least two units each', () => {
    const budget = budgetOf({ limit: 4, filtered: true, shards: 2, known: 512 })
    expect(budget.catchUpShares(2)).toEqual([16, 16])
  })
})
