import { VirtualClock } from '@isotherm/runtime'
import { beforeEach, describe, expect, it } from 'vitest'
import { RepeatedFailures } from './repeated-failures.js'

describe('failures of a proxy that are reported', () => {
  let clock: VirtualClock
  let reported: string[]
  let failures: RepeatedFailures

  const add = (operation: string) => failures.add({ operation, message: 'failed' })

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

  it('are equal ones every ten seconds, with how many there were meanwhile', () => {
    for (let at = 0; at < 1_000; at++) add('PutItem')
    expect(reported).toEqual(['PutItem failed +0'])
    clock.advance(10_000)
    add('PutItem')
    expect(reported).toEqual(['PutItem failed +0', 'PutItem failed +999'])
    clock.advance(10_000)
    add('PutItem')
    expect(reported.at(-1)).toBe('PutItem failed +0')
  })

  it('are at the end those that were only counted', () => {
    for (const operation of ['PutItem', 'PutItem', 'PutItem', 'GetItem']) add(operation)
    failures.end()
    expect(reported).toEqual(['PutItem failed +0', 'GetItem failed +0', 'PutItem failed +1'])
  })

  it('are counted for a limited number of texts, the latest', () => {
    for (let at = 0; at < 1_000; at++) add(`request ${at}`)
    add('request 999')
    expect(reported).toHaveLength(1_000)
    add('request 0')
    expect(reported).toHaveLength(1_001)
  })
})
