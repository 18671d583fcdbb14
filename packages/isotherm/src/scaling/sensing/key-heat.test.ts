import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { LogicalKey } from '../../keys/key.js'
import { scopeOf } from '../../sdk/throttle.js'
import { KeyHeat } from './key-heat.js'

const key = (text: string) => ({ S: text }) as LogicalKey

describe('the heat of keys', () => {
  it('is that of the last seconds only', () => {
    const clock = new VirtualClock()
    const heat = new KeyHeat(clock)
    heat.offered(key('k'), 100)
    heat.accepted(key('k'), 60)
    heat.throttled(key('k'), 40)
    expect(heat.report(key('k'))).toMatchObject({ offeredUnits: 100, acceptedUnits: 60, throttledUnits: 40 })
    clock.advance(10_000)
    expect(heat.report(key('k'))).toMatchObject({ offeredUnits: 0, acceptedUnits: 0, throttledUnits: 0 })
  })

  it('begins again after a change of the count, except for what the key does to its neighbours', () => {
    const heat = new KeyHeat(new VirtualClock())
    for (const name of ['k', 'other']) {
      heat.offered(key(name), 100)
      heat.accepted(key(name), 60)
      heat.throttled(key(name), 40)
    }
    heat.reset(key('k'))
    const none = { offeredUnits: 0, acceptedUnits: 0, throttledUnits: 0 }
    expect(heat.report(key('k'))).toMatchObject({ ...none, offeredSoFar: 100, acceptedSoFar: 60 })
    expect(heat.report(key('other'))).toMatchObject({
      offeredUnits: 100,
      acceptedUnits: 60,
      throttledUnits: 40,
    })
    heat.reset(key('other'))
    expect(heat.hottestThrottledUnits()).toBe(40)
  })

  it('keeps a hot key in sight however many cold ones pass by', () => {
    const clock = new VirtualClock()
    const heat = new KeyHeat(clock)
    for (let cold = 0; cold < 50_000; cold++) {
      clock.advance(1)
      heat.offered(key(`cold ${cold}`), 1)
      if (cold % 50 === 0) heat.offered(key('hot'), 10)
    }
    expect(heat.report(key('hot'))?.offeredUnits).toBeGreaterThan(800)
  })

  it('lets a newly hot key in', () => {
    const clock = new VirtualClock()
    const heat = new KeyHeat(clock)
    for (let old = 0; old < 256; old++) heat.offered(key(`old ${old}`), 1_000)
    clock.advance(60_000)
    for (let put = 0; put < 100; put++) heat.offered(key('new'), 5)
    expect(heat.report(key('new'))?.offeredUnits).toBe(500)
  })
})

describe('the scope of a throttle', () => {
  it.each([
    [['TableWriteKeyRangeThroughputExceeded'], 'partition'],
    [['TableWriteProvisionedThroughputExceeded'], 'table'],
    [['TableWriteMaxOnDemandThroughputExceeded'], 'table'],
    [['TableWriteAccountLimitExceeded'], 'table'],
    [['IndexWriteKeyRangeThroughputExceeded'], 'index'],
    [['IndexWriteProvisionedThroughputExceeded'], 'index'],
    [['TableWriteKeyRangeThroughputExceeded', 'TableWriteProvisionedThroughputExceeded'], 'table'],
    [[], undefined],
    [['SomethingNew'], undefined],
  ])('of %j is %s', (reasons, scope) => {
    expect(scopeOf(reasons)).toBe(scope)
  })
})

describe('the trend of a key', () => {
  function trendOf(unitsOfWindows: readonly number[]): number | undefined {
    const clock = new VirtualClock(1_800_000_002_500)
    const heat = new KeyHeat(clock)
    for (const units of unitsOfWindows) {
      heat.offered(key('k'), units)
      clock.advance(5_000)
    }
    heat.offered(key('k'), 0)
    return heat.report(key('k'))?.trend
  }

  it('is that of the last two whole windows', () => {
    expect(trendOf([999, 100, 150])).toBe(1.5)
    expect(trendOf([999, 100, 150, 75])).toBe(0.5)
  })

  it('is unknown in the first windows, after a pause, and with few units', () => {
    expect(trendOf([100])).toBe(1)
    expect(trendOf([50, 150])).toBe(1)
    expect(trendOf([999, 40, 150])).toBe(1)
  })
})
