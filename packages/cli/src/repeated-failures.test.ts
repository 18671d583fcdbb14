import { VirtualClock } from '@isotherm/runtime'
import { beforeEach, describe, expect, it } from 'vitest'
import { RepeatedFailures } from './repeated-failures.js'

describe('failures of a proxy that are reported', () => {
  let clock: VirtualClock
  let reported: string[]
  let failures: RepeatedFailures

  const add = (operation: string, times = 1) => {
    for (let at = 0; at < times; at++) failures.add({ operation, message: 'failed' })
  }
  const pass = (milliseconds: number) => clock.run(() => clock.sleep(milliseconds))

  beforeEach(() => {
    clock = new VirtualClock()
    reported = []
    failures = new RepeatedFailures(clock, ({ operation, message }, more) => {
      reported.push(`${operation} ${message} +${more}`)
    })
  })

  it('are those that are new', () => {
    add('PutItem')
    add('GetItem')
    expect(reported).toEqual(['PutItem failed +0', 'GetItem failed +0'])
  })

  it('are equal ones every ten seconds, with how many there were meanwhile', async () => {
    add('PutItem', 1_000)
    expect(reported).toEqual(['PutItem failed +0'])
    await pass(9_999)
    add('PutItem')
    expect(reported).toHaveLength(1)
    // Also if no other one follows: it may be the last of a short outage.
    await pass(2)
    expect(reported).toEqual(['PutItem failed +0', 'PutItem failed +999'])
    add('PutItem', 2)
    expect(reported).toHaveLength(2)
    await pass(10_001)
    expect(reported.slice(2)).toEqual(['PutItem failed +1'])
  })

  it('are at once those that come ten seconds after the last report', async () => {
    add('PutItem')
    await pass(10_000)
    add('PutItem')
    expect(reported).toEqual(['PutItem failed +0', 'PutItem failed +0'])
  })

  it('are at the end those that were only counted, once', async () => {
    for (const operation of ['PutItem', 'PutItem', 'PutItem', 'GetItem']) add(operation)
    failures.end()
    const all = ['PutItem failed +0', 'GetItem failed +0', 'PutItem failed +1']
    expect(reported).toEqual(all)
    add('PutItem', 3)
    await pass(20_000)
    expect(reported).toEqual([...all, 'PutItem failed +0'])
  })

  it('are counted for a limited number of texts, the latest', async () => {
    for (let at = 0; at < 1_000; at++) add(`request ${at}`)
    add('request 999')
    expect(reported).toHaveLength(1_000)
    add('request 0')
    expect(reported).toHaveLength(1_001)
  })

  it('are counted for many texts at a time, each for its own ten seconds', async () => {
    for (let at = 0; at < 20; at++) {
      add(`request ${at}`, 3)
      await pass(400)
    }
    reported.length = 0
    await pass(2_500)
    expect(reported).toEqual(['request 0 failed +1', 'request 1 failed +1'])
    await pass(20_000)
    expect(reported).toHaveLength(20)
  })

  it('are those that were counted of a text that is forgotten', async () => {
    add('PutItem', 3)
    for (let at = 0; at < 100; at++) add(`request ${at}`)
    expect(reported.at(-1)).toBe('PutItem failed +1')
    await pass(20_000)
    expect(reported).toHaveLength(102)
  })
})
