import { describe, expect, it } from 'vitest'
import {
  actions,
  CACHE,
  DEADLINE,
  DENIED,
  inOutage,
  KEY,
  STALE,
  setUp,
  viewUntil,
  type World,
} from '../../../test/outages.js'
import { serviceError } from '../../../test/scripted-client.js'
import { hotPartitionError } from '../../../test/throttling.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import { fixedView } from '../states/shard-view.js'

const READ = { consistent: false }

describe('a new item of a random key in an outage', () => {
  it('goes to the first shard at once', () =>
    inOutage(async ({ clock, views }) => {
      expect(await views.forWrite(KEY)).toEqual(fixedView(1))
      expect(views.forWrite(KEY)).toEqual(fixedView(1))
      expect(clock.now()).toBe(0)
    }))

  it('goes by the last view while that is valid', () =>
    inOutage(async ({ clock, map, views }) => {
      await views.forWrite(KEY)
      map.last = viewUntil(1_000)
      expect(views.forWrite(KEY)).toBe(map.last)
      await clock.sleep(1_000)
      expect(views.forWrite(KEY)).toEqual(fixedView(1))
    }))
})

describe('a shard map in an outage', () => {
  it('is asked once a second by requests that do not wait for it', () =>
    inOutage(async ({ clock, map, views }) => {
      await views.forWrite(KEY)
      map.asked = 0
      for (let step = 0; step < 30; step++) {
        views.forWrite(KEY)
        await clock.sleep(100)
      }
      // After one, two and a bit less than three seconds.
      expect(map.asked).toBe(2)
    }))

  it('is not guessed from', () =>
    inOutage(async ({ views }) => {
      expect(views.guess(KEY)).toBeDefined()
      await views.forWrite(KEY)
      expect(views.guess(KEY)).toBeUndefined()
    }))

  it('is told of once in ten seconds for each action, and once when it answers again', () =>
    inOutage(async ({ clock, events, map, views }) => {
      map.last = viewUntil(-1)
      for (let second = 0; second <= 10; second++) {
        await views.forWrite(KEY)
        await views.forRead(KEY, READ)
        await clock.sleep(1_000)
      }
      expect(events).toMatchObject([
        {
          type: 'shard-map-unavailable',
          action: 'append-to-first-shard',
          table: 'log',
          shardMap: 'map',
          error: DENIED,
          at: 0,
        },
        { action: 'read-from-cache', at: 0 },
        { action: 'append-to-first-shard', at: 10_000 },
        { action: 'read-from-cache', at: 10_000 },
      ])
      events.length = 0
      map.error = undefined
      await clock.sleep(1_000)
      await views.forWrite(KEY)
      await clock.sleep(1)
      expect(await views.forWrite(KEY)).toEqual(fixedView(4))
      expect(events).toEqual([
        {
          type: 'shard-map-available',
          table: 'log',
          shardMap: 'map',
          unavailableMilliseconds: 12_000,
          at: 12_000,
        },
      ])
      // The next outage emits an event at once.
      map.error = DENIED
      await views.forWrite(KEY)
      expect(actions(events)).toEqual(['shard-map-available', 'append-to-first-shard'])
    }))

  it('that refuses the options when it is asked again fails the next request with that', () =>
    inOutage(async ({ clock, map, views }) => {
      await views.forWrite(KEY)
      map.error = new IsothermError('card.differs', 'differs', {
        table: 'log',
        setting: 'adopt',
        stored: 'true',
        given: 'false',
      })
      await clock.sleep(1_000)
      expect(views.forWrite(KEY)).toEqual(fixedView(1))
      await clock.sleep(1)
      await expect(views.forWrite(KEY)).rejects.toMatchObject({ code: 'card.differs' })
    }))

  it('may answer from a cache when it is asked again', () =>
    inOutage(async ({ clock, map, views }) => {
      await views.forWrite(KEY)
      map.isKnown = true
      await clock.sleep(1_000)
      expect(views.forWrite(KEY)).toEqual(fixedView(1))
    }))
})

describe('a read in an outage', () => {
  it('uses the last view for as long as staleReads, a lifetime at a time', () =>
    inOutage(async ({ clock, map, views }) => {
      map.last = viewUntil(0)
      expect(await views.forRead(KEY, READ)).toMatchObject({ shards: 4, validUntil: CACHE })
      await clock.sleep(STALE - 1_000)
      expect(await views.forRead(KEY, READ)).toMatchObject({ validUntil: STALE })
    }))

  it('waits from the end of staleReads on, and so does one of a key that was never read', () =>
    inOutage(async ({ clock, map, events, views }) => {
      map.last = viewUntil(0)
      await clock.sleep(STALE)
      await expect(views.forRead(KEY, READ)).rejects.toMatchObject({ code: 'shard-map.unavailable' })
      map.last = undefined
      await expect(views.forRead(KEY, READ)).rejects.toMatchObject({ code: 'shard-map.unavailable' })
      expect(new Set(actions(events))).toEqual(new Set(['wait']))
    }))

  it('that is consistent waits', () =>
    inOutage(async ({ map, events, views }) => {
      map.last = viewUntil(0)
      for (const waiting of [() => views.forRead(KEY, { consistent: true }), () => views.viewNow(KEY)]) {
        await expect(waiting()).rejects.toMatchObject({
          code: 'shard-map.unavailable',
          message: expect.stringContaining('AccessDeniedException'),
          details: { table: 'log', shardMap: 'map' },
          cause: DENIED,
        })
      }
      expect(actions(events)[0]).toBe('wait')
    }))
})

describe('a request that waits', () => {
  it('is answered when the shard map answers', () =>
    inOutage(
      async ({ clock, map, events, views }) => {
        const waiting = views.forWrite(KEY)
        await clock.sleep(3_000)
        map.error = undefined
        expect(await waiting).toEqual(fixedView(4))
        expect(clock.now()).toBeLessThanOrEqual(4_000)
        expect(actions(events)).toEqual(['wait', 'shard-map-available'])
      },
      { isRandom: false },
    ))

  it('ends before retryDeadline', () =>
    inOutage(
      async ({ clock, views }) => {
        await expect(views.forWrite(KEY)).rejects.toMatchObject({ code: 'shard-map.unavailable' })
        expect(clock.now()).toBeGreaterThan(DEADLINE - 1_000)
        expect(clock.now()).toBeLessThanOrEqual(DEADLINE)
      },
      { isRandom: false },
    ))

  it('ends with an error of the library as it is', () =>
    inOutage(
      async ({ map, views }) => {
        const missing = new IsothermError('shard-map.missing', 'missing', { table: 'log', shardMap: 'map' })
        map.error = missing
        await expect(views.forWrite(KEY)).rejects.toBe(missing)
      },
      { isRandom: false },
    ))

  it('ends with an error that is not about the shard map', () =>
    inOutage(
      async ({ clock, map, views }) => {
        const waiting = views.forWrite(KEY)
        await clock.sleep(1_000)
        map.error = new TypeError('a bug')
        await expect(waiting).rejects.toThrow('a bug')
      },
      { isRandom: false },
    ))
})

describe('a shard map that never answers', () => {
  const silent = (work: (world: World) => Promise<void>, options: Parameters<typeof setUp>[0] = {}) =>
    inOutage(async (world) => {
      world.map.error = undefined
      world.map.isSilent = true
      await work(world)
    }, options)

  it('fails a request that needs it at retryDeadline, and the next ones as well', () =>
    silent(
      async ({ clock, views, events }) => {
        for (const [request, ask] of [
          () => views.forWrite(KEY),
          async () => views.forRead(KEY, { consistent: true }),
        ].entries()) {
          await expect(ask()).rejects.toMatchObject({
            code: 'shard-map.unavailable',
            cause: { name: 'TimeoutError', message: expect.stringContaining('map') },
          })
          expect(clock.now()).toBe((request + 1) * DEADLINE)
        }
        expect(actions(events)).toContain('wait')
      },
      { isRandom: false },
    ))

  it('lets reads with a known view continue by it, and new random items go to the first shard', () =>
    silent(async ({ clock, map, views }) => {
      map.last = viewUntil(0)
      expect(await views.forRead(KEY, READ)).toMatchObject({ shards: 4, validUntil: DEADLINE + CACHE })
      expect(clock.now()).toBe(DEADLINE)
      // From then on, none waits.
      expect(views.forRead(KEY, READ)).toMatchObject({ shards: 4 })
      expect(views.forWrite(KEY)).toEqual(fixedView(1))
    }))

  it('is used again as soon as it answers', () =>
    silent(async ({ clock, map, events, views }) => {
      map.last = viewUntil(0)
      await views.forRead(KEY, READ)
      map.isSilent = false
      await clock.sleep(1_000)
      expect(views.forWrite(KEY)).toEqual(fixedView(1))
      await clock.sleep(1)
      expect(await views.forWrite(KEY)).toEqual(fixedView(4))
      expect(actions(events)).toEqual(['read-from-cache', 'append-to-first-shard', 'shard-map-available'])
    }))

  it('does not hold up what can do without it', () =>
    silent(async ({ clock, views }) => {
      await views.checkTable(KEY)
      expect(clock.now()).toBe(DEADLINE)
    }))

  it('fails the first request of a process, which puts nothing into the first shard', async () => {
    const { clock, map, views } = setUp()
    map.isSilent = true
    await clock.run(() =>
      expect(views.forWrite(KEY)).rejects.toMatchObject({ code: 'shard-map.unavailable' }),
    )
    expect(clock.now()).toBe(DEADLINE)
  })
})

describe('a process that has never read the shard map', () => {
  const first = (error: unknown) => {
    const world = setUp()
    world.map.error = error
    return world
  }

  it.each([
    ['it is denied', DENIED],
    [
      'it does not exist',
      new IsothermError('shard-map.missing', 'missing', { table: 'log', shardMap: 'map' }),
    ],
  ])('fails at once if %s', async (_what, error) => {
    const { clock, views } = first(error)
    await clock.run(async () => {
      await expect(views.forWrite(KEY)).rejects.toBe(error)
      await expect(views.forWrite(KEY)).rejects.toBe(error)
    })
    expect(clock.now()).toBe(0)
  })

  it.each([
    ['it is throttled', hotPartitionError()],
    ['it is out of reach', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
    ['it has a failure', serviceError('InternalServerError', { $fault: 'server' })],
  ])('waits if %s, and puts nothing into the first shard', async (_what, error) => {
    const { clock, map, views } = first(error)
    await clock.run(async () => {
      const waiting = views.forWrite(KEY)
      await clock.sleep(2_000)
      map.error = undefined
      expect(await waiting).toEqual(fixedView(4))
    })
  })
})

describe('an error of a request', () => {
  it.each([
    [
      'of the options',
      new IsothermError('key.too-long', 'long', { table: 'log', bytes: 1, maxBytes: 1 } as never),
    ],
    ['of the caller, who has aborted it', serviceError('AbortError')],
    ['of the request', serviceError('ValidationException')],
    ['in the code', new RangeError('a bug')],
    ['in the code, a name that is not there', new ReferenceError('a bug')],
    ['in the code, a text that cannot be parsed', new SyntaxError('a bug')],
    ['of nothing that is known', new Error('a bug')],
    ['that is no error', 'nothing'],
  ])('%s is no outage', (_what, error) =>
    inOutage(async ({ map, views, events }) => {
      map.error = error
      await expect(views.forWrite(KEY)).rejects.toBe(error)
      expect(events).toEqual([])
    }),
  )
})

it.each([500, 503])('a page of a proxy with status %i that is no JSON is an outage', (httpStatusCode) =>
  inOutage(async ({ map, views, events }) => {
    const page = new SyntaxError('Unexpected token <')
    map.error = Object.assign(page, { $metadata: { httpStatusCode } })
    expect(await views.forWrite(KEY)).toMatchObject({ shards: 1 })
    expect(events).toEqual([expect.objectContaining({ type: 'shard-map-unavailable', error: page })])
  }),
)

describe('items that are shown without a count', () => {
  it('are shown in an outage, and not if the options are wrong', () =>
    inOutage(async ({ clock, map, views }) => {
      await views.checkTable(KEY)
      const differs = new TypeError('a bug')
      map.error = differs
      expect(views.checkTable(KEY)).toBeUndefined()
      await clock.sleep(1_000)
      // The one that asks is shown, too.
      expect(views.checkTable(KEY)).toBeUndefined()
      await clock.sleep(1)
      await expect(views.checkTable(KEY)).rejects.toBe(differs)
      map.isKnown = true
      expect(views.checkTable(KEY)).toBeUndefined()
      expect(views.known(KEY)).toBe(4)
    }))

  it('are shown without an event, and so is the end of an outage in which nothing else was done', () =>
    inOutage(async ({ clock, map, views, events }) => {
      await views.checkTable(KEY)
      map.error = undefined
      await clock.sleep(1_000)
      expect(views.checkTable(KEY)).toBeUndefined()
      await clock.sleep(1)
      await views.forWrite(KEY)
      expect(events).toEqual([])
    }))

  it('ask a shard map that does not answer once a second', () =>
    inOutage(async ({ clock, map, views }) => {
      await views.checkTable(KEY)
      const before = map.asked
      for (let page = 0; page < 100; page++) {
        expect(views.checkTable(KEY)).toBeUndefined()
        await clock.sleep(100)
      }
      expect(map.asked - before).toBe(9)
    }))
})

describe('a process that has only asked whether its options are right, or whether there is one shard', () => {
  it.each(['checkTable', 'oneShard'] as const)('has read the shard map: %s', async (method) => {
    const { clock, map, views } = setUp()
    await clock.run(async () => {
      await views[method](KEY)
      map.error = hotPartitionError()
      expect(await views.forWrite(KEY)).toEqual(fixedView(1))
    })
    expect(clock.now()).toBe(0)
  })
})

describe('a process that is suspended between its requests', () => {
  const FROZEN = 300_000

  it('learns from its next request that the outage is over', () =>
    inOutage(async ({ clock, map, views, events }) => {
      expect(await views.forWrite(KEY)).toEqual(fixedView(1))
      map.error = undefined
      map.milliseconds = 20
      await clock.sleep(FROZEN)
      expect(await views.forWrite(KEY)).toEqual(fixedView(4))
      expect(actions(events)).toEqual(['append-to-first-shard', 'shard-map-available'])
    }))

  it('waits for a second where it is not over, and the requests that follow at once do not', () =>
    inOutage(async ({ clock, map, views }) => {
      await views.forWrite(KEY)
      map.isSilent = true
      await clock.sleep(FROZEN)
      expect(await views.forWrite(KEY)).toEqual(fixedView(1))
      expect(clock.now()).toBe(FROZEN + 1_000)
      expect(views.forWrite(KEY)).toEqual(fixedView(1))
    }))
})

describe('a short retryDeadline', () => {
  it.each([0, 20])('of %i ms does not limit the time for an answer', async (deadline) => {
    const { clock, map, views, events } = setUp({ deadline })
    map.milliseconds = 60
    await clock.run(async () => {
      for (const view of [
        views.forWrite(KEY),
        views.forRead(KEY, { consistent: true }),
        views.viewNow(KEY),
      ]) {
        expect(await view).toEqual(fixedView(4))
      }
    })
    expect(events).toEqual([])
  })

  it('is no reason to go on taking a slow shard map for one that does not answer', () =>
    inOutage(
      async ({ clock, map, views }) => {
        map.last = undefined
        await expect(views.viewNow(KEY)).rejects.toMatchObject({ code: 'shard-map.unavailable' })
        map.error = undefined
        map.milliseconds = 1_500
        await expect(views.viewNow(KEY)).rejects.toMatchObject({ code: 'shard-map.unavailable' })
        await clock.sleep(1_000)
        expect(await views.viewNow(KEY)).toEqual(fixedView(4))
      },
      { deadline: 0 },
    ))

  it('ends a request after the first attempt that fails', async () => {
    const { clock, map, views } = setUp({ deadline: 0 })
    await clock.run(async () => {
      await views.forWrite(KEY)
      map.error = hotPartitionError()
      await expect(views.forRead(KEY, { consistent: true })).rejects.toMatchObject({
        code: 'shard-map.unavailable',
      })
    })
    expect(clock.now()).toBe(0)
    expect(map.asked).toBe(2)
  })
})
