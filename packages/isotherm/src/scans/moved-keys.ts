import { type AttributeValue, GetItemCommand, type GetItemCommandOutput } from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import type { MoveSender } from '../attempts/move-sender.js'
import { pagesOf } from '../attempts/pages-of.js'
import { IsothermError } from '../errors/isotherm-error.js'
import { keyText, type LogicalKey } from '../keys/key.js'
import { readKey } from '../keys/read-key.js'
import type { ShardedTable } from '../options/sharded-table.js'
import {
  CARD_KEY,
  cardOf,
  fromAttributes,
  guardedByMap,
  isOwn,
  isUnfinished,
  keyLike,
  OWN_KEYS,
  readableShards,
  repeatedState,
  type ShardState,
  sourceShards,
  targetCount,
} from '../protocol/index.js'

/** How far the clocks of the processes that change counts may be apart. Keys that moved so long before are named for nothing. */
const CLOCK_SKEW_SECONDS = 300

export interface CountsOfTable {
  readonly options: Pick<ShardedTable, 'name' | 'shardMap' | 'shardMapHasClient' | 'partitionKey'>
  /** A key of the type that the table's keys have. */
  readonly like: LogicalKey
  readonly sender: MoveSender
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
}

/** A key whose items may have been moved, and its state now. */
export interface MovedKey {
  readonly key: LogicalKey
  readonly state: ShardState
}

/**
 * Finds what a scan may have missed. To a scan, a move is a deletion in one shard and a creation in another: an item that moves to a
 * shard that was read before is not seen at all.
 */
export class MovedKeys {
  readonly #counts: CountsOfTable
  readonly #since: number
  readonly #initial: ShardState | undefined

  private constructor(counts: CountsOfTable, since: number, initial: ShardState | undefined) {
    this.#counts = counts
    this.#since = since
    this.#initial = initial
  }

  /**
   * Begins to watch, before the scan.
   * @param isResumed whether a part of the scan was made by an earlier call, at an unknown time
   * @throws IsothermError `counts.migrating`, `shard-map.missing`
   */
  static async from(counts: CountsOfTable, isResumed = false): Promise<MovedKeys> {
    const initial = await initialOf(counts)
    if (isResumed) return new MovedKeys(counts, 0, initial)
    // This process's clock may be ahead of all of theirs. A change from now on is not earlier than the last one before, by their own clocks.
    let newest = 0
    for await (const { state } of keysIn(counts, initial)) newest = Math.max(newest, state.lastUpdated)
    const now = Math.floor(counts.clock.now() / 1_000)
    return new MovedKeys(counts, Math.min(now, newest) - CLOCK_SKEW_SECONDS, initial)
  }

  /**
   * The state of a key now.
   * @throws IsothermError `counts.migrating`, if the key has the initial count, and that has changed since
   */
  async stateOf(key: LogicalKey): Promise<ShardState | undefined> {
    const { options, sender } = this.#counts
    const { shardMap, partitionKey } = options
    const Key: Record<string, AttributeValue> = { [partitionKey]: { ...key } }
    const read = new GetItemCommand({ TableName: shardMap, Key, ConsistentRead: true })
    const { Item } = await sender.answer<GetItemCommandOutput>(read, 1)
    const state = Item && stateIn(this.#counts, this.#initial, Item)
    if (state !== undefined && !isOwn(state)) await this.#requireSameInitial()
    return state
  }

  /**
   * The keys whose counts have changed since, or are changing now, after the scan. A key that has the initial count again is among them.
   * @throws IsothermError `counts.migrating`, if the count of all keys has changed since
   */
  async *found(): AsyncGenerator<MovedKey> {
    await this.#requireSameInitial()
    for await (const each of keysIn(this.#counts, this.#initial)) {
      if (isUnfinished(each.state) || each.state.lastUpdated >= this.#since) yield each
    }
  }

  async #requireSameInitial(): Promise<void> {
    const initial = await initialOf(this.#counts)
    // A card that was written meanwhile has the initial count that held before.
    if ((initial?.lastUpdated ?? 0) !== (this.#initial?.lastUpdated ?? 0))
      throw migrating(this.#counts.options)
  }
}

/** All keys with an item in the shard map. */
async function* keysIn(counts: CountsOfTable, initial: ShardState | undefined): AsyncGenerator<MovedKey> {
  const { options, sender, signal } = counts
  const { shardMap, partitionKey } = options
  for await (const { Items = [] } of pagesOf(sender, signal, { TableName: shardMap, ConsistentRead: true })) {
    for (const item of Items) {
      const key = readKey(shardMap, partitionKey, item[partitionKey]) as LogicalKey
      if (!keyText(key).startsWith(OWN_KEYS)) yield { key, state: stateIn(counts, initial, item) }
    }
  }
}

/** A key without a count of its own has the initial one, whatever its item repeats. */
function stateIn(
  { options }: CountsOfTable,
  initial: ShardState | undefined,
  item: Record<string, AttributeValue>,
): ShardState {
  const state = fromAttributes(options.shardMap, item)
  const { lastUpdated } = state
  if (isOwn(state) || initial === undefined) return state
  return { ...repeatedState(initial, lastUpdated), lastUpdated }
}

/** Whether two states of a key say the same of where its items are, and where they move. */
export function hasSamePlaces(one: ShardState, other: ShardState): boolean {
  const places = (state: ShardState) => [
    state.phase,
    targetCount(state),
    sourceShards(state),
    readableShards(state),
  ]
  return JSON.stringify(places(one)) === JSON.stringify(places(other))
}

/** The initial state of the table. `undefined` if no process has used it with a card yet. */
async function initialOf({ options, like, sender }: CountsOfTable): Promise<ShardState | undefined> {
  const { shardMap, partitionKey } = options
  const Key: Record<string, AttributeValue> = { [partitionKey]: keyLike(like, CARD_KEY) }
  const read = new GetItemCommand({ TableName: shardMap, Key, ConsistentRead: true })
  const { Item } = await guardedByMap(options, () => sender.answer<GetItemCommandOutput>(read, 1))
  if (Item === undefined) return undefined
  const { initial, migration } = cardOf(options, Item)
  if (migration !== undefined || isUnfinished(initial)) throw migrating(options)
  return initial
}

function migrating({ name, shardMap }: CountsOfTable['options']): IsothermError {
  return new IsothermError(
    'counts.migrating',
    `The initial shard count of ${name} is being changed, which moves items of all keys, and a scan may miss them. Repeat this when the migration has ended.`,
    { table: name, shardMap },
  )
}
