import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { actions, DENIED, inOutage, KEY, setUp, viewUntil } from '../../../test/outages.js'
import { hotPartitionError } from '../../../test/throttling.js'
import { WatchedClock } from '../../../test/watched-clock.js'
import { backoffMilliseconds } from '../../attempts/backoff.js'
import { fixedView } from '../states/shard-view.js'

const READ = { consistent: false }
const FIRST_WAIT = backoffMilliseconds({ next: () => 1 }, 0)

describe('a view that is cached', () => {
  it('is returned at once, and is a read of the shard map', async () => {
    const { clock, map, views } = setUp()
    map.isKnown = true
    expect(views.forWrite(KEY)).toEqual(fixedView(4))
    expect(views.forRead(KEY, READ)).toEqual(fixedView(4))
    expect(views.oneShard(KEY)).toBeUndefined()
    map.isKnown = false
    map.error = hotPartitionError()
    await clock.run(async () => expect(await views.forWrite(KEY)).toEqual(fixedView(1)))
    expect(clock.now()).toBe(0)
  })
})

describe('a shard map that is slow to fail', () => {
  it('is asked by one request while the others continue without it', () =>
    inOutage(async ({ clock, map, views }) => {
      await views.forWrite(KEY)
      map.milliseconds = 500
      await clock.sleep(1_000)
      map.asked = 0
      for (let request = 0; request < 4; request++) {
        expect(views.forWrite(KEY)).toEqual(fixedView(1))
        await clock.sleep(100)
      }
      expect(map.asked).toBe(1)
    }))

  it('does not keep the process alive while a request waits for it', async () => {
    const clock = new WatchedClock(0)
    const { map, views } = setUp({ clock })
    map.isKnown = false
    await views.forWrite(KEY)
    expect(clock.sleeps).toEqual([{ milliseconds: 1_000, mayEndProcess: true }])
  })
})

describe('an outage', () => {
  it('is taken for granted until a second after a probe was due', () =>
    inOutage(async ({ clock, map, views }) => {
      map.last = viewUntil(0)
      await views.forWrite(KEY)
      await clock.sleep(1_999)
      expect(views.forRead(KEY, READ)).toMatchObject({ shards: 4 })
      await clock.sleep(2_000)
      expect(views.forRead(KEY, READ)).toBeInstanceOf(Promise)
    }))

  it('lets a read of one shard ask in another way at once', () =>
    inOutage(async ({ views }) => {
      await views.forWrite(KEY)
      expect(views.oneShard(KEY)).toBeUndefined()
    }))

  it('is reported with its length', async () => {
    const { clock, events, map, views } = setUp({ clock: new VirtualClock(50_000) })
    await clock.run(async () => {
      await views.forWrite(KEY)
      map.error = DENIED
      await views.forWrite(KEY)
      map.error = undefined
      await clock.sleep(7_000)
      await views.forWrite(KEY)
    })
    expect(events.at(-1)).toMatchObject({
      type: 'shard-map-available',
      unavailableMilliseconds: 7_000,
      at: 57_000,
    })
  })

  it('that was found to be none by a probe ends without a word', () =>
    inOutage(async ({ clock, events, map, views }) => {
      await views.forWrite(KEY)
      map.error = new TypeError('a bug')
      await clock.sleep(1_000)
      views.forWrite(KEY)
      await clock.sleep(1)
      map.error = undefined
      expect(await views.forWrite(KEY)).toEqual(fixedView(4))
      expect(actions(events)).toEqual(['append-to-first-shard'])
    }))

  it('may be an error without a name that the SDK has sent a request for', () =>
    inOutage(async ({ map, views }) => {
      map.error = Object.assign(new Error('refused'), { $metadata: {} })
      expect(await views.forWrite(KEY)).toEqual(fixedView(1))
    }))
})

describe('a request that waits', () => {
  it('asks once more if that begins exactly at retryDeadline', () =>
    inOutage(
      async ({ clock, map, views }) => {
        map.asked = 0
        await expect(views.viewNow(KEY)).rejects.toMatchObject({ code: 'shard-map.unavailable' })
        expect([map.asked, clock.now()]).toEqual([2, FIRST_WAIT])
      },
      { deadline: FIRST_WAIT },
    ))

  it('is answered although the clock cannot sleep', async () => {
    const clock = new VirtualClock(0)
    const { map, views } = setUp({ clock })
    map.milliseconds = 20
    const sleep = clock.sleep.bind(clock)
    // Only the answer of the shard map is slept for without a signal.
    clock.sleep = (milliseconds, signal) =>
      signal === undefined ? sleep(milliseconds) : Promise.reject(new Error('no timers'))
    await clock.run(async () => expect(await views.forWrite(KEY)).toEqual(fixedView(4)))
  })
})
