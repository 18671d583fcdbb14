import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { MoveSender } from '../../attempts/move-sender.js'
import { keyText, type LogicalKey } from '../../keys/key.js'
import type { KnownCard, ShardState } from '../../protocol/index.js'
import type { MigratedTable } from './migrated-table.js'
import { ownCounts, refuseChangesFromBefore } from './own-counts.js'

const NOW_SECONDS = 1_800_000_000

const count = {
  phase: 'settled',
  shards: 2,
  lastUpdated: NOW_SECONDS - 100,
  history: [`${NOW_SECONDS - 100}:2`],
} as const
const OWN: ShardState = count
const REPEATS: ShardState = { ...count, initialAsOf: NOW_SECONDS - 200 }
const CHANGES: ShardState = { ...count, phase: 'announced', from: 2, to: 8 }

interface Given {
  readonly listed: 'all' | readonly string[]
  readonly states: Readonly<Record<string, ShardState | undefined>>
  /** How often another process writes the item of a key before it is replaced here. */
  readonly writesOfOthers?: number
  /** How often the card is changed before the list is written. */
  readonly changesOfCard?: number
  readonly hasRoom?: boolean
}

/** A card, the items of its keys, and the requests for them. */
function mapWith({ listed, states, writesOfOthers = 0, changesOfCard = 0, hasRoom = true }: Given) {
  const items = new Map(Object.entries(states))
  const scans: object[] = []
  const written: [string, ShardState][] = []
  const lists: (readonly [readonly string[], number])[] = []
  let others = writesOfOthers
  let version = 1
  let all = listed === 'all'
  const at = {
    table: {
      clock: new VirtualClock(NOW_SECONDS * 1_000),
      options: { shardMap: 'log_shard_map', partitionKey: 'pk' },
    },
    like: { S: 'like' },
    cards: {
      readNow: async () =>
        ({ listed: all ? 'all' : new Set(listed === 'all' ? [] : listed), version }) as KnownCard,
      mayList: () => hasRoom,
      listOnly: async (_like: LogicalKey, keys: readonly LogicalKey[], seen: number) => {
        lists.push([keys.map(keyText), seen])
        if (lists.length > 1_000) throw new Error('The list is made without an end.')
        version += 1
        if (lists.length <= changesOfCard) return false
        all = false
        return true
      },
    },
    shardMap: {
      unlist: async () => {},
      reread: async (key: LogicalKey) => items.get(keyText(key)),
      replace: async (key: LogicalKey, _seen: ShardState, next: ShardState) => {
        if (others-- > 0) return undefined
        written.push([keyText(key), next])
        return next
      },
    },
  } as unknown as MigratedTable
  const sender = {
    scanPage: async (input: object) => {
      scans.push(input)
      return { Items: ['isotherm:card', ...items.keys()].map((key) => ({ pk: { S: key } })) }
    },
  } as unknown as MoveSender
  const { signal } = new AbortController()
  return {
    own: async () => (await ownCounts(at, sender, signal)).map(keyText),
    refuse: () => refuseChangesFromBefore(at, sender, signal),
    scans,
    written,
    lists,
  }
}

describe('the keys with a count of their own', () => {
  it('are sought among the listed ones alone, and nothing is written', async () => {
    const map = mapWith({ listed: ['hot', 'back'], states: { hot: OWN, back: REPEATS, cold: REPEATS } })
    expect(await map.own()).toEqual(['hot'])
    expect([map.scans, map.written, map.lists]).toEqual([[], [], []])
  })

  it('are listed instead of all keys, after the item of every other key was written once more', async () => {
    const map = mapWith({ listed: 'all', states: { hot: OWN, cold: REPEATS } })
    expect(await map.own()).toEqual(['hot'])
    expect(map.scans).toEqual([expect.objectContaining({ TableName: 'log_shard_map', ConsistentRead: true })])
    expect(map.written).toEqual([['cold', { ...REPEATS, lastUpdated: NOW_SECONDS }]])
    expect(map.lists).toEqual([[['hot'], 1]])
  })

  it('do not include a key whose item is gone', async () => {
    const map = mapWith({ listed: 'all', states: { gone: undefined, hot: OWN } })
    expect(await map.own()).toEqual(['hot'])
    expect(map.written).toEqual([])
  })

  it('are sought again after another process has written the item', async () => {
    const map = mapWith({ listed: 'all', states: { cold: REPEATS }, writesOfOthers: 2 })
    expect(await map.own()).toEqual([])
    expect(map.written).toHaveLength(1)
  })

  it('are sought again as long as the card changes, at most twenty times', async () => {
    const some = mapWith({ listed: 'all', states: { hot: OWN }, changesOfCard: 2 })
    expect(await some.own()).toEqual(['hot'])
    expect(some.lists.map(([, version]) => version)).toEqual([1, 2, 3])
    const many = mapWith({ listed: 'all', states: { hot: OWN }, changesOfCard: 100 })
    expect(await many.own()).toEqual(['hot'])
    expect(many.lists).toHaveLength(20)
  })

  it('are not listed if the card has no room for them', async () => {
    const map = mapWith({ listed: 'all', states: { hot: OWN }, hasRoom: false })
    expect(await map.own()).toEqual(['hot'])
    expect(map.lists).toEqual([])
  })
})

describe('a change that is about to begin from the initial state before', () => {
  it.each(['all', ['rests', 'repeats', 'changes', 'gone']] as const)(
    'is refused, unless it has begun (listed: %j)',
    async (listed) => {
      const states = { rests: OWN, repeats: REPEATS, changes: CHANGES, gone: undefined }
      const map = mapWith({ listed, states })
      await map.refuse()
      expect(map.written).toEqual([
        ['rests', { ...OWN, lastUpdated: NOW_SECONDS }],
        ['repeats', { ...REPEATS, lastUpdated: NOW_SECONDS }],
      ])
      expect(map.scans).toHaveLength(listed === 'all' ? 1 : 0)
    },
  )

  it('is refused also if the item is written by another process meanwhile', async () => {
    const map = mapWith({ listed: ['rests'], states: { rests: OWN }, writesOfOthers: 3 })
    await map.refuse()
    expect(map.written).toHaveLength(1)
  })
})
