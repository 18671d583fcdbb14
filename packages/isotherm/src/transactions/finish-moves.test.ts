import { describe, expect, it } from 'vitest'
import { membersOf, transactingEngine } from '../../test/transacting-table.js'
import { announce, move } from '../protocol/states/calculated-count.js'
import { resize } from '../protocol/states/random-count.js'
import { firstState } from '../protocol/states/shard-state.js'
import { viewOf } from '../protocol/states/shard-view.js'
import { finishMoves } from './finish-moves.js'

const MOVED = move(announce(firstState(1, 1_000), 50, 2_000), 3_000)
const RETIRED = resize(firstState(6, 1_000), 4, 2_000)
const KEYS = [1, 2, 3].map((id) => ({ pk: { S: 'k' }, sk: { S: `item ${id}` } }))
const MARK = { isotherm_moving: { S: '3:1' } }

interface Leaving {
  readonly suffix: 'random' | 'calculated'
  /** The shard that the items leave. */
  readonly source: number
  readonly mark?: object
  readonly transactions?: boolean
  /** Whether this process has paused for longer than its view of the key is valid. */
  readonly isLate?: boolean
}

/** What comes of the moves of three items, and where the items are then. */
async function finished({ suffix, source, mark = {}, transactions = true, isLate = false }: Leaving) {
  const state = suffix === 'random' ? RETIRED : MOVED
  const view = viewOf(state, isLate ? 0 : Number.POSITIVE_INFINITY)
  const engine = await transactingEngine({ suffix, view, transactions })
  const result = await engine.clock.run(async () => {
    for (const key of KEYS) await engine.put(source, { ...key, ...mark })
    const deletes = KEYS.map((Key) => ({ Delete: { TableName: 'log', Key } }))
    const items = membersOf([engine.table], ...deletes).map((member) => ({ member, shard: source }))
    const { kind } = await finishMoves(items, { options: undefined, carryMiddleware: () => {} })
    const stored = await engine.stored()
    return { kind, shards: stored.map(({ pk }) => pk?.S?.slice(2)).sort() }
  })
  await engine.close()
  return result
}

describe('the items that a transaction finds on their way', () => {
  it.each(['random', 'calculated'] as const)(
    'all arrive before it searches them again, with a %s suffix',
    async (suffix) => {
      expect(await finished({ suffix, source: 6, mark: MARK })).toEqual({
        kind: 'changed',
        shards: ['3', '3', '3'],
      })
    },
  )

  it('are moved if they have a calculated suffix and are to move, though no move of them has begun', async () => {
    const { kind, shards } = await finished({ suffix: 'calculated', source: 1 })
    expect(kind).toBe('changed')
    expect(shards).not.toContain('1')
  })

  it('stay where they are if nothing moves them', async () => {
    expect(await finished({ suffix: 'random', source: 6 })).toEqual({
      kind: 'changed',
      shards: ['6', '6', '6'],
    })
  })

  it('are searched on a new view if another process may have finished a move meanwhile', async () => {
    const late = { mark: MARK, transactions: false, isLate: true }
    expect(await finished({ suffix: 'random', source: 6, ...late })).toEqual({
      kind: 'stale',
      shards: ['6', '6', '6'],
    })
  })
})
