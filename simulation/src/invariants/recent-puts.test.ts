import { describe, expect, it } from 'vitest'
import { RecentPuts } from './recent-puts.js'

describe('the recent puts of a key', () => {
  it('count an item once, however often it is sent and refused', () => {
    const puts = new RecentPuts()
    puts.sent('a', false)
    for (let attempt = 1; attempt <= 3; attempt++) puts.sent('b', true)
    puts.sent('b', false)
    expect([puts.offered, puts.refused]).toEqual([2, 1])
  })

  it('are forgotten when the window has passed', () => {
    const puts = new RecentPuts()
    puts.sent('a', true)
    for (let second = 1; second < puts.seconds; second++) puts.nextSecond()
    expect([puts.offered, puts.refused]).toEqual([1, 1])
    puts.nextSecond()
    expect([puts.offered, puts.refused]).toEqual([0, 0])
  })
})
