import { VirtualClock } from '@isotherm/runtime'
import type { IsothermEvent } from '../src/events/event.js'
import type { LogicalKey } from '../src/keys/key.js'
import { ViewsInOutage } from '../src/protocol/shard-map/views-in-outage.js'
import { fixedView, type ShardView } from '../src/protocol/states/shard-view.js'
import { serviceError } from './scripted-client.js'

export const KEY = { S: 'k' } as LogicalKey
export const DENIED = serviceError('AccessDeniedException', { $fault: 'client' })
export const CACHE = 5_000
export const STALE = 20_000
export const DEADLINE = 10_000
export const viewUntil = (validUntil: number): ShardView => ({ ...fixedView(4), validUntil })

/** A shard map that answers with a view, or fails. */
export function setUp({
  isRandom = true,
  deadline = DEADLINE,
  clock = new VirtualClock(0),
}: {
  readonly isRandom?: boolean
  readonly deadline?: number
  readonly clock?: VirtualClock
} = {}) {
  const events: IsothermEvent[] = []
  const map = {
    error: undefined as unknown,
    last: undefined as ShardView | undefined,
    asked: 0,
    isKnown: false,
    /** Whether it never answers. */
    isSilent: false,
    milliseconds: 0,
  }
  const ask = (): ShardView | Promise<ShardView> => {
    map.asked += 1
    if (map.isKnown) return fixedView(4)
    const { error, milliseconds } = map
    if (map.isSilent) return new Promise(() => {})
    return (milliseconds === 0 ? Promise.resolve() : clock.sleep(milliseconds)).then(() => {
      if (error !== undefined) throw error
      return fixedView(4)
    })
  }
  const views = new ViewsInOutage({
    table: {
      name: 'log',
      shardMap: 'map',
      cacheMilliseconds: CACHE,
      retryMilliseconds: deadline,
      staleReadMilliseconds: STALE,
    },
    clock,
    random: { next: () => 1 },
    emit: (event) => events.push(event),
    isRandom,
    views: {
      known: () => 4,
      forWrite: ask,
      forRead: ask,
      oneShard: () => {
        const view = map.isKnown ? undefined : ask()
        return view instanceof Promise ? view : undefined
      },
      viewNow: async () => ask(),
      guess: () => fixedView(4),
      checkTable: () => (map.isKnown ? undefined : Promise.resolve(ask())),
      lastView: () => map.last,
    },
  })
  return { clock, events, map, views }
}

export type World = ReturnType<typeof setUp>

/** A process that has read the shard map, which then fails. */
export async function inOutage(
  work: (world: World) => Promise<void>,
  options: Parameters<typeof setUp>[0] = {},
) {
  const world = setUp(options)
  await world.clock.run(async () => {
    await world.views.forWrite(KEY)
    world.map.error = DENIED
    await work(world)
  })
}

/** What the events say was done, in their order. */
export const actions = (events: readonly IsothermEvent[]) =>
  events.map((event) => (event.type === 'shard-map-unavailable' ? event.action : event.type))
