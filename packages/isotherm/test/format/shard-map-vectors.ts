import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { IsothermError } from '../../src/errors/isotherm-error.js'
import type { LogicalKey } from '../../src/keys/key.js'
import { looksFor } from '../../src/protocol/placement/looks.js'
import { placementOf } from '../../src/protocol/placement/placement.js'
import { withEntry } from '../../src/protocol/states/history.js'
import {
  isChanging,
  readableShards,
  type ShardState,
  sourceShards,
} from '../../src/protocol/states/shard-state.js'
import { viewOf } from '../../src/protocol/states/shard-view.js'
import { fromAttributes } from '../../src/protocol/stored-state/shard-map-item.js'
import { calculated } from '../../src/writes/calculated.js'
import { type Section, section } from './vector-section.js'

type Attributes = Readonly<Record<string, AttributeValue>>

const N = (value: number) => ({ N: String(value) })

function item(
  shards: number,
  lastUpdated: number,
  history: readonly string[],
  more: Attributes = {},
): Attributes {
  return {
    number_of_shards: N(shards),
    last_updated: N(lastUpdated),
    ...(history.length === 0 ? {} : { shard_history: { SS: [...history] } }),
    ...more,
  }
}

const change = (phase: string, from: number, to: number): Attributes => ({
  phase: { S: phase },
  from_shards: N(from),
  to_shards: N(to),
})

const grown = ['100:4', '200:10']
const fallen = ['100:10', '200:4']

const calculatedItems: readonly Attributes[] = [
  item(1, 100, ['100:1']),
  item(10, 200, grown),
  item(4, 200, grown, change('announced', 4, 10)),
  item(10, 210, grown, change('moved', 4, 10)),
  item(10, 220, grown, { ...change('moved', 4, 10), draining_since: N(200) }),
  // `draining_since` of an earlier change.
  item(10, 220, grown, { ...change('moved', 4, 10), draining_since: N(150) }),
  item(10, 200, fallen, change('announced', 10, 4)),
  item(4, 210, fallen, change('moved', 10, 4)),
  item(4, 220, fallen, { ...change('moved', 10, 4), draining_since: N(200) }),
]

const randomItems: readonly Attributes[] = [
  item(1, 100, ['100:1']),
  item(10, 200, grown),
  item(4, 200, fallen),
  // Grown again before the retired shards were drained, and fallen twice.
  item(10, 300, [...fallen, '300:10']),
  item(6, 300, [...fallen, '300:6']),
  item(2, 300, ['100:10', '200:6', '300:2']),
  // The entries of a set have no order, and times are compared as numbers.
  item(16, 1_000, ['1000:16', '100:4', '99:2']),
]

/** Of other writers: without a history, with a wrong entry, or with a count that the history lacks. */
const otherItems: readonly Attributes[] = [
  item(8, 20, []),
  item(8, 20, ['10:4', 'nonsense']),
  item(8, 20, ['10:16']),
  item(16, 20, ['20:8']),
  item(8, 20, ['20:8'], { owner: { S: 'team-a' }, last_write: { S: 'name' } }),
  item(0, 20, ['20:1']),
  item(8, 20, ['20:8'], change('gone', 4, 8)),
  item(8, 20, ['20:8'], { phase: { S: 'moved' }, from_shards: N(4), to_shards: N(0) }),
  { number_of_shards: { S: 'two' }, last_updated: N(1) },
  { number_of_shards: N(2) },
]

const SORTS = ['order-1', 'order-2', 'order-3', 'order-4', 'order-5']

function stateOf(attributes: Attributes): ShardState | string {
  try {
    return fromAttributes('map', attributes)
  } catch (error) {
    if (error instanceof IsothermError) return error.code
    throw error
  }
}

function shown(state: ShardState) {
  const { phase, shards, lastUpdated, history } = state
  const ends = isChanging(state) ? { from: state.from, to: state.to } : {}
  const readable = readableShards(state)
  return { phase, shards, lastUpdated, history, ...ends, readable, emptied: sourceShards(state) }
}

function known(attributes: Attributes): ShardState {
  const state = stateOf(attributes)
  if (typeof state === 'string') throw new Error(`An item of the vectors is ${state}.`)
  return state
}

export const shardMapSections: Readonly<Record<string, Section>> = {
  /** The state of an item, or the error. The key and the attributes that are only evidence do not matter. */
  states: section(
    [...calculatedItems, ...randomItems, ...otherItems].map((attributes) => ({ item: attributes })),
    ({ item: attributes }) => {
      const state = stateOf(attributes)
      return typeof state === 'string' ? { error: state } : { state: shown(state) }
    },
  ),
  /**
   * Where an item of a calculated key is created, and the rounds of shards in which a consistent read looks for it, by its sort key.
   */
  calculated: section(
    calculatedItems.flatMap((attributes) => SORTS.map((S) => ({ item: attributes, sort: { S } }))),
    ({ item: attributes, sort }) => placesOf('calculated', attributes, sort),
  ),
  /** The same for a random key, whose items can also be created in any shard up to `number_of_shards`. */
  random: section(
    randomItems.map((attributes) => ({ item: attributes, sort: { S: 'order-1' } })),
    ({ item: attributes, sort }) => placesOf('random', attributes, sort),
  ),
  /** The history after a new entry. It keeps 20 entries, and older ones that readers need. */
  histories: section(
    [
      { history: ['100:4'], time: 200, count: 10 },
      { history: Array.from({ length: 20 }, (_, at) => `${100 + at}:${at + 1}`), time: 200, count: 30 },
      {
        history: ['1:64', '2:3', ...Array.from({ length: 18 }, (_, at) => `${100 + at}:${10 + at}`)],
        time: 200,
        count: 30,
      },
    ],
    ({ history, time, count }) => ({ after: withEntry(history, time, count) }),
  ),
}

function placesOf(kind: 'calculated' | 'random', attributes: Attributes, sort: { readonly S: string }) {
  const suffix = kind === 'random' ? kind : calculated()
  const placement = placementOf({ suffix, partitionKey: 'pk' })
  const view = viewOf(known(attributes), 0)
  const key = { logical: { S: 'k' } as LogicalKey, sort }
  return { created: placement.home(view, key), looks: looksFor(view, placement.candidates(view, key)) }
}
