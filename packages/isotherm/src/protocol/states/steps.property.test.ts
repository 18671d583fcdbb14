import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromAttributes, toAttributes } from '../stored-state/shard-map-item.js'
import { announce, drain, move, settle } from './calculated-count.js'
import { forget, resize } from './random-count.js'
import { requireStep } from './require-step.js'
import {
  type AtRest,
  firstState,
  isUnfinished,
  readableShards,
  type ShardState,
  sourceShards,
} from './shard-state.js'
import { viewOf } from './shard-view.js'
import { begin, complete, renew, requireOnePhaseApart } from './steps.js'

const counts = fc.integer({ min: 1, max: 1_000 })
const start = 1_800_000_000

const resized = (...steps: number[]): AtRest =>
  steps.reduce((state, shards) => resize(state, shards, 0), firstState(1, 10))

describe('a change of a calculated count', () => {
  it('lets writers go over in its middle, and readers look everywhere until its end', () => {
    fc.assert(
      fc.property(counts, counts, (from, to) => {
        const first = firstState(from, start)
        const second = announce(first, to, start + 60)
        const third = move(second, start + 120)
        const fourth = drain(third, start + 180)
        const last = settle(fourth, start + 240)
        const states = [first, second, third, fourth, last]
        expect(states.map(({ shards }) => shards)).toEqual([from, from, to, to, to])
        expect(viewOf(second, 0).readable).toBe(Math.max(from, to))
        expect(viewOf(third, 0).readable).toBe(Math.max(from, to))
        expect(viewOf(fourth, 0).readable).toBe(Math.max(from, to))
        expect(viewOf(last, 0)).toMatchObject({ shards: to, readable: to, moves: undefined })
      }),
    )
  })

  it('moves the time of the lock on at each step, whatever the clock says', () => {
    const first = firstState(1, start)
    const second = announce(first, 2, start - 100)
    const third = move(second, start - 200)
    const fourth = drain(third, start - 300)
    const states = [first, second, third, fourth, settle(fourth, start)]
    const times = states.map(({ lastUpdated }) => lastUpdated)
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
  })

  it('skips no phase', () => {
    const first = firstState(2, start)
    const second = announce(first, 3, start)
    const third = move(second, start)
    // Untyped code could make these calls.
    const isRefused = (step: () => unknown) => expect(step).toThrow('Invariant phase broken')
    isRefused(() => move(first as never, start))
    isRefused(() => drain(second as never, start))
    isRefused(() => settle(second as never, start))
    isRefused(() => settle(third as never, start))
    isRefused(() => announce(second as never, 4, start))
    isRefused(() => move(third as never, start))
    isRefused(() => resize(third as never, 4, start))
    isRefused(() => forget(first as never, start))
    // Nor where the count, which somebody may have changed by hand, is that of the phase before.
    isRefused(() => move({ ...third, shards: third.from } as never, start))
    isRefused(() => drain({ ...second, shards: second.to } as never, start))
  })

  it('begins in phases, and that of a random key at once', () => {
    const first = resized(2)
    expect(begin('calculated', first, 3, start)).toEqual(announce(first, 3, start))
    expect(begin('random', first, 3, start)).toEqual(resize(first, 3, start))
  })
})

describe('the shards of a random key that are to be emptied', () => {
  it('begin with the last one, so that an older move puts nothing behind whoever empties them', () => {
    expect(sourceShards(resized(5, 2))).toEqual([5, 4, 3])
  })

  it('go as far down as it ever was, also when they are in use again', () => {
    expect(resized(3, 5).phase).toBe('settled')
    expect(resized(5, 2, 5).phase).toBe('retired')
    expect(sourceShards(resized(5, 2, 5))).toEqual([5, 4, 3])
    expect(sourceShards(resized(5, 2, 8, 4))).toEqual([8, 7, 6, 5, 4, 3])
    const retired = resized(5, 2, 5)
    expect(isUnfinished(complete(retired as Extract<AtRest, { phase: 'retired' }>, 20))).toBe(false)
  })
})

/**
 * One step of a key: its next count, the seconds its clock adds, whether a driver only claims the change, and whether a drain
 * ends.
 */
interface Turn {
  readonly count: number
  readonly seconds: number
  readonly renews: boolean
  readonly ends: boolean
}

const turns = fc.array(
  fc.record<Turn>({
    count: fc.oneof(fc.integer({ min: 1, max: 9 }), counts),
    seconds: fc.integer({ min: -50, max: 100 }),
    renews: fc.boolean(),
    ends: fc.boolean(),
  }),
  { maxLength: 120, size: 'max' },
)

function next(suffix: 'random' | 'calculated', state: ShardState, turn: Turn): ShardState {
  const now = state.lastUpdated + turn.seconds
  if (turn.renews && isUnfinished(state)) return renew(state, now)
  if (state.phase === 'announced') return move(state, now)
  if (state.phase === 'moved') return drain(state, now)
  if (state.phase === 'draining' || (turn.ends && state.phase === 'retired')) return complete(state, now)
  return suffix === 'random' ? resize(state, turn.count, now) : announce(state, turn.count, now)
}

/** Writes the state to the shard map and reads it back. The shard map does not keep the order of a history. */
function stored(state: ShardState): ShardState {
  const attributes = toAttributes(state)
  const entries = attributes.shard_history?.SS ?? []
  return fromAttributes('map', { ...attributes, shard_history: { SS: [...entries].reverse() } })
}

describe.each(['random', 'calculated'] as const)(
  'the count of a %s key, in any history of steps',
  (suffix) => {
    it('keeps every shard readable that may hold items', () => {
      fc.assert(
        fc.property(turns, (steps) => {
          let state: ShardState = firstState(1, start)
          // The test's own count of shards that may hold items: those in use, and those that no pass has emptied since.
          let filled = 1
          for (const turn of steps) {
            const before = state
            state = stored(next(suffix, state, turn))
            const isEmptied =
              before.phase === 'draining' || (before.phase === 'retired' && state.phase === 'settled')
            filled = isEmptied && state.phase !== 'draining' ? state.shards : Math.max(filled, state.shards)
            expect(readableShards(state)).toBeGreaterThanOrEqual(filled)
            expect(viewOf(state, 0).readable).toBeGreaterThanOrEqual(filled)
            expect(state.lastUpdated).toBeGreaterThan(before.lastUpdated)
          }
        }),
      )
    })

    it('passes through its phases, one after another', () => {
      fc.assert(
        fc.property(turns, (steps) => {
          let state: ShardState = firstState(1, start)
          const phases: string[] = [state.phase]
          for (const turn of steps) {
            state = stored(next(suffix, state, turn))
            if (phases.at(-1) !== state.phase) phases.push(state.phase)
          }
          const cycle =
            suffix === 'random' ? ['settled', 'retired'] : ['settled', 'announced', 'moved', 'draining']
          expect(phases).toEqual(phases.map((_, index) => cycle[index % cycle.length]))
        }),
      )
    })

    it('can be changed and brought to its end from whatever another writer has left', () => {
      const entry = fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 9 }))
      const left = fc.record({
        shards: fc.integer({ min: 1, max: 9 }),
        lastUpdated: fc.integer({ min: 0, max: 300 }),
        history: fc.array(entry, { maxLength: 40, size: 'max' }),
        phase: fc.constantFrom(undefined, 'announced', 'moved'),
        // An earlier version leaves it behind, and writes its own phases beside it.
        drainingSince: fc.option(fc.integer({ min: 0, max: 300 }), { nil: undefined }),
        from: fc.integer({ min: 1, max: 9 }),
        to: fc.integer({ min: 1, max: 9 }),
      })
      fc.assert(
        fc.property(
          left,
          turns,
          ({ shards, lastUpdated, history, phase, drainingSince, from, to }, steps) => {
            const item: Record<string, AttributeValue> = {
              // Another test covers a count that is neither `from` nor `to`.
              number_of_shards: { N: String(phase === undefined ? shards : phase === 'moved' ? to : from) },
              last_updated: { N: String(lastUpdated) },
              shard_history: { SS: history.map(([time, count]) => `${time}:${count}`) },
              ...(drainingSince === undefined ? {} : { draining_since: { N: String(drainingSince) } }),
              ...(phase === undefined
                ? {}
                : { phase: { S: phase }, from_shards: { N: String(from) }, to_shards: { N: String(to) } }),
            }
            let state = fromAttributes('map', item)
            for (const turn of steps) state = stored(next(suffix, state, turn))
            for (const end = { count: 1, seconds: 1, renews: false, ends: true }; isUnfinished(state); ) {
              state = stored(next(suffix, state, end))
            }
            expect(readableShards(state)).toBe(state.shards)
          },
        ),
      )
    })
  },
)

describe('an invariant that is broken', () => {
  const settled = resized(4)
  const retired = resized(4, 2)
  const announced = announce(settled, 8, 100)
  const moved = move(announced, 200)

  it.each<readonly [string, ShardState, ShardState]>([
    ['time', settled, { ...announced, lastUpdated: settled.lastUpdated }],
    ['time', settled, { ...announced, lastUpdated: 99 }],
    ['time', renew(announced, 500), { ...moved, lastUpdated: 500 }],
    ['readers', settled, { ...retired, phase: 'settled', history: ['12:2'] }],
    ['readers', retired, { ...resized(4, 3), lastUpdated: 1_000 }],
    ['history', settled, { ...resized(4), history: Array.from({ length: 21 }, (_, at) => `${at}:4`) }],
  ])('is told by its name and values: %s', (name, before, next) => {
    const later = { ...next, lastUpdated: name === 'history' ? 1_000 : next.lastUpdated }
    expect(() => requireStep(before, later)).toThrow(`Invariant ${name} broken: `)
    expect(() => requireStep(before, later)).toThrow(JSON.stringify({ before, next: later }))
  })

  it('is that a change settles between the counts that were announced: elsewhere nobody looks for its items', () => {
    expect(() => move({ ...announced, shards: 3 }, 300)).toThrow('Invariant phase broken')
    expect(() => drain({ ...moved, shards: 3 }, 300)).toThrow('Invariant phase broken')
    expect(() => settle({ ...drain(moved, 300), shards: 3 }, 400)).toThrow('Invariant phase broken')
  })

  it('is none where a step is one of the protocol', () => {
    expect(requireStep(settled, announced)).toBe(announced)
    expect(requireStep(announced, moved)).toBe(moved)
  })
})

describe('a process that reads the shard map while it uses what it read before', () => {
  const settled = resized(4)
  const announced = announce(settled, 8, 100)
  const moved = move(announced, 200)
  const draining = drain(moved, 250)
  const grown = settle(draining, 300)
  const again = announce(grown, 16, 400)

  it('finds the same phase, or the next one', () => {
    const life = [settled, announced, moved, draining, grown, again]
    for (const [at, state] of life.entries()) {
      for (const next of life.slice(at, at + 2)) requireOnePhaseApart(state, next)
      // Responses may arrive out of order.
      for (const before of life.slice(0, at)) requireOnePhaseApart(state, before)
    }
    requireOnePhaseApart(announced, renew(announced, 150))
    // There is no wait after the last two phases, because items are created at the same places.
    for (const inUse of [moved, draining]) requireOnePhaseApart(inUse, again)
    requireOnePhaseApart(moved, grown)
  })

  it.each<readonly [string, ShardState, ShardState]>([
    ['announced', settled, moved],
    ['moved', announced, draining],
    ['moved, of a finished change', announced, grown],
    ['moved, of an earlier change', announced, again],
    ['announced, of a later change', moved, move(again, 500)],
    ['moved, of a change that ended elsewhere', announced, { ...announced, to: 9, lastUpdated: 500 }],
    ['moved, of a change that began elsewhere', announced, { ...announced, from: 3, lastUpdated: 500 }],
    ['announced and moved', settled, draining],
  ])('has missed no phase: %s', (_, inUse, read) => {
    expect(() => requireOnePhaseApart(inUse, read)).toThrow('Invariant apart broken')
    expect(() => requireOnePhaseApart(inUse, read)).toThrow(JSON.stringify({ inUse, read }))
  })
})
