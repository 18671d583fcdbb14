import { itemBytes, MAX_ITEM_BYTES } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import {
  card,
  countOf,
  endedAt,
  fill,
  found,
  PHASE_SECONDS,
  pagesOf,
  places,
  REPLICAS_SECONDS,
  store,
  watchCard,
  within,
} from '../../../test/migrating.js'
import { watchRequests } from '../../../test/sent-requests.js'
import type { ShardedEngine } from '../../../test/sharded-engine.js'

const SETTLED = 2 * PHASE_SECONDS + REPLICAS_SECONDS

describe('the phases of a migration', () => {
  it.each([
    [
      'calculated',
      [4, 8],
      [
        [0, 'announced'],
        [20, 'announced'],
        [PHASE_SECONDS, 'moved'],
        [PHASE_SECONDS + 20, 'moved'],
        [2 * PHASE_SECONDS, 'moved'],
        [SETTLED, 'settled'],
      ],
    ],
    [
      'random',
      [6, 2],
      [
        [0, 'settled'],
        [20, 'settled'],
        [PHASE_SECONDS + REPLICAS_SECONDS, 'settled'],
      ],
    ],
    [
      'random',
      [2, 6],
      [
        [0, 'settled'],
        [20, 'settled'],
        [PHASE_SECONDS, 'settled'],
      ],
    ],
  ] as const)(
    'last until no earlier request is left, and are renewed (%s, %j)',
    (suffix, [from, to], writes) =>
      within(countOf(suffix, from), async (engine) => {
        const db = engine.process()
        await found(db, 'a')
        const written = watchCard(engine)
        await db.migrate('log', { initial: to })
        expect(written.map(({ afterSeconds, phase }) => [afterSeconds, phase])).toEqual(writes)
        for (const { afterSeconds, lastUpdated } of written) {
          expect(lastUpdated - afterSeconds).toBeGreaterThanOrEqual(0)
          expect(lastUpdated - afterSeconds).toBeLessThanOrEqual(1)
        }
      }),
  )

  it('are not begun for the count that the table has', () =>
    within(countOf('calculated', 4), async (engine) => {
      const db = engine.process()
      await fill(db, 'a', 5)
      const written = watchCard(engine)
      const before = engine.clock.now()
      const result = await db.migrate('log', { initial: 4 })
      expect(result).toMatchObject({ outcome: 'settled', from: 4, to: 4, price: { movingItems: 0 } })
      expect(written).toEqual([])
      expect(engine.clock.now()).toBe(before)
    }))
})

/** Ends a migration in its pass, of pages of 4 items that take 9 seconds each, and returns the last key that is on the card. */
async function endedInPass(engine: ShardedEngine, initial: number) {
  const scans = pagesOf(engine, 4, 9)
  const ended = endedAt(({ scanned }) => scanned >= 20)
  await expect(engine.process().migrate('log', { initial, ...ended })).rejects.toThrow('ended')
  expect(scans).toHaveLength(5)
  return (await card(engine))?.migrated_key?.M
}

describe('the pass of a migration', () => {
  it.each([
    ['calculated', 4, 8],
    ['random', 8, 2],
  ] as const)('is resumed after the last page that is on the card (%s)', (suffix, from, to) =>
    within(countOf(suffix, from), async (engine) => {
      await fill(engine.process(), 'a', 32)
      const position = await endedInPass(engine, to)
      expect(position).toMatchObject({ pk: { S: expect.stringMatching(/^a_/) }, sk: {} })
      const scans = pagesOf(engine, 100, 0)
      const { outcome } = await engine.process().migrate('log', { initial: to })
      expect(outcome).toBe('settled')
      expect(scans[0]).toMatchObject({ ExclusiveStartKey: position, ConsistentRead: true })
      expect((await found(engine.process(), 'a')).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 32 }, (_, sk) => sk),
      )
      expect((await card(engine))?.migrated_key).toBeUndefined()
    }),
  )

  it('moves the other items where one has no room, and is resumed before that one', () =>
    within(countOf('calculated', 4), async (engine) => {
      const text = 'x'.repeat(
        MAX_ITEM_BYTES - 10 - itemBytes({ pk: { S: 'a_2' }, sk: { N: '99' }, text: { S: '' } }),
      )
      await fill(engine.process(), 'a', 32)
      const migrated = () => engine.process().migrate('log', { initial: 1 })
      await engine.process().migrate('log', { initial: 4 })
      await store(engine.client, 'a_2', 99, { text: { S: text } })
      await expect(migrated()).rejects.toMatchObject({
        code: 'move.no-room',
        message: expect.stringContaining('repeat the migration'),
        details: { sortKey: { N: '99' }, source: 2, target: 1, reason: 'item' },
      })
      expect((await places(engine)).filter((place) => !place.startsWith('a_1 '))).toEqual(['a_2 99'])
      await store(engine.client, 'a_2', 99)
      expect((await migrated()).outcome).toBe('settled')
      expect(await places(engine)).toContain('a_1 99')
    }))

  it('is resumed from the start where an item was left in two shards', () =>
    within(countOf('calculated', 4), async (engine) => {
      await fill(engine.process(), 'a', 32)
      for (const shard of [2, 3, 4])
        await store(engine.client, `a_${shard}`, 99, { shard: { N: String(shard) } })
      await store(engine.client, 'a_1', 99, { shard: { N: '1' } })
      pagesOf(engine, 4, 9)
      const db = engine.process()
      expect(await db.migrate('log', { initial: 1 })).toMatchObject({ outcome: 'two-copies', from: 4, to: 1 })
      expect(await card(engine)).toMatchObject({
        phase: { S: 'moved' },
        draining_since: {},
        migrating_to: { N: '1' },
      })
      pagesOf(engine, 100, 0)
      const copies = async () => (await places(engine)).filter((place) => place.endsWith(' 99'))
      expect(await copies()).toEqual(['a_1 99', 'a_2 99', 'a_3 99', 'a_4 99'])
      expect(await engine.process().migrate('log', { initial: 1 })).toMatchObject({ outcome: 'two-copies' })
      const asked = { initial: 1, twoCopies: 'discard' } as const
      expect(await engine.process().migrate('log', asked)).toMatchObject({ outcome: 'settled' })
      expect(await copies()).toEqual(['a_1 99'])
    }))

  it('uses no more units than it may', () =>
    within(countOf('random', 8), async (engine) => {
      await fill(engine.process(), 'a', 32)
      const before = engine.clock.now()
      await engine.process().migrate('log', { initial: 1, unitsPerSecond: 10 })
      const moved = (await places(engine)).length
      expect(moved).toBe(32)
      // Each of about 28 items takes four units: a read, and a mark, a put and a deletion.
      expect((engine.clock.now() - before) / 1_000).toBeGreaterThan(PHASE_SECONDS + REPLICAS_SECONDS + 7)
    }))
})

it('A migration that another process takes over ends at its next write, and changes no key.', () =>
  within(countOf('calculated', 8), async (engine) => {
    const db = engine.process()
    await fill(db, 'a', 16)
    await db.shards('log', 'hot').set(12)
    await db.shards('log', 'hot').drain()
    const options = { initial: 2, keys: 'all' } as const
    const first = engine.process().migrate('log', options)
    await engine.clock.sleep(10_000)
    const second = engine.process().migrate('log', options)
    expect(await first).toMatchObject({ outcome: 'overtaken', from: 8, to: 2, ownCounts: 1 })
    expect((await engine.process().shards('log', 'hot').read())?.shards).toBe(12)
    expect(await second).toMatchObject({ outcome: 'settled', from: 8, to: 2, ownCounts: 0 })
    expect(await found(engine.process(), 'a')).toHaveLength(16)
  }))

it('A migration whose card cannot be written fails with the error of the service.', () =>
  within(countOf('calculated', 8), async (engine) => {
    const db = engine.process()
    await fill(db, 'a', 4)
    const denied = Object.assign(new Error('denied'), { name: 'AccessDeniedException' })
    watchRequests(engine.client, {
      before: ({ input: { UpdateExpression } }) => {
        if (String(UpdateExpression).includes('#migrating_to')) throw denied
      },
    })
    await expect(db.migrate('log', { initial: 2 })).rejects.toBe(denied)
    expect((await card(engine))?.migrating_to).toBeUndefined()
  }))
