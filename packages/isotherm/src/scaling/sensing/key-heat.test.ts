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

  it('is nothing of a key that is not followed', () => {
    const heat = new KeyHeat(new VirtualClock())
    heat.accepted(key('k'), 60)
    heat.throttled(key('k'), 40)
    heat.reset(key('k'))
    expect(heat.report(key('k'))).toBeUndefined()
    expect(heat.hottestThrottledUnits()).toBe(0)
  })

  it('may be that of the lightest key for every key that is not followed, once all places are taken', () => {
    const heat = new KeyHeat(new VirtualClock())
    for (let each = 0; each < 255; each++) heat.offered(key(`${each}`), 1_000 + each)
    expect(heat.hottest(255).otherKeysAtMost).toBe(0)
    heat.offered(key('255'), 1_255)
    expect(heat.hottest(256).otherKeysAtMost).toBe(1_000)
    expect(heat.hottest(2).otherKeysAtMost).toBe(1_253)
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

describe('a key that takes the place of the lightest one', () => {
  it('has its units, too, which is the error of the estimate, and halves with each window', () => {
    const clock = new VirtualClock(1_800_000_000_000)
    const heat = new KeyHeat(clock)
    for (let old = 0; old < 256; old++) heat.offered(key(`old ${old}`), old === 7 ? 16 : 1_000)
    heat.offered(key('new'), 2_000)
    const hottest = () => heat.hottest(1).keys[0]
    expect(hottest()).toMatchObject({ key: key('new'), recentUnits: 2_016, recentUnitsError: 16 })
    expect(heat.report(key('old 7'))).toBeUndefined()
    clock.advance(5_000)
    expect(hottest()).toMatchObject({ recentUnits: 1_008, recentUnitsError: 8 })
    heat.offered(key('new'), 1)
    expect(hottest()).toMatchObject({ recentUnits: 1_009, recentUnitsError: 8 })
    clock.advance(10_000)
    heat.offered(key('new'), 0)
    expect(hottest()).toMatchObject({ recentUnits: 252.25, recentUnitsError: 2 })
  })
})

describe('of keys that are equally light', () => {
  it('the one that came first is followed no longer', () => {
    const heat = new KeyHeat(new VirtualClock())
    for (let each = 0; each <= 256; each++) heat.offered(key(`${each}`), 1)
    const followed = (each: number) => heat.report(key(`${each}`)) !== undefined
    expect([followed(0), followed(1), followed(255), followed(256)]).toEqual([false, true, true, true])
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
  /** @param unitsOfWindows `undefined` for a window in which nothing is offered */
  function trendOf(unitsOfWindows: readonly (number | undefined)[]): number | undefined {
    const clock = new VirtualClock(1_800_000_002_500)
    const heat = new KeyHeat(clock)
    for (const units of unitsOfWindows) {
      if (units !== undefined) heat.offered(key('k'), units)
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
    expect(trendOf([999, 100, 300, undefined])).toBe(1)
    expect(trendOf([999, 100, undefined, 300])).toBe(1)
    expect(trendOf([999, 49, 150])).toBe(1)
    expect(trendOf([999, 50, 150])).toBe(3)
  })

  it('is known again two whole windows after a pause', () => {
    expect(trendOf([999, undefined, 100, 150])).toBe(1.5)
  })
})
