import type { Clock } from '@isotherm/runtime'
import type { MoveSender } from '../attempts/move-sender.js'
import type { LogicalKey } from '../keys/key.js'
import {
  firstState,
  historyEntry,
  MOVE_ATTRIBUTES,
  type Moved,
  readMoveName,
  type ShardState,
  type StoredItem,
} from '../protocol/index.js'
import { CountRanges, countRange } from './explained-counts.js'
import { itemPlace } from './item-place.js'
import type { RebuiltTable } from './rebuilt-table.js'
import { shardItems } from './shard-items.js'
import type { UnexplainedItems } from './unexplained-items.js'

interface ExplainedKey {
  readonly key: LogicalKey
  /** The highest shard that may hold items of the key. */
  readonly highest: number
}

interface Explaining {
  readonly sender: MoveSender
  readonly clock: Clock
  readonly unexplained: UnexplainedItems
  /** Called after each shard, with the number of items read so far. */
  readonly onShard: (items: number) => void
}

/**
 * Reads the shards of a calculated key, and finds the state that explains where its items are.
 * @returns `undefined` if two counts do not explain it
 */
export async function explainKey(
  table: RebuiltTable,
  { key, highest }: ExplainedKey,
  { sender, clock, unexplained, onShard }: Explaining,
): Promise<ShardState | 'initial' | undefined> {
  const { options, initial } = table
  const ranges = new CountRanges()
  const targets: number[] = []
  let last: StoredItem | undefined
  let items = 0
  for (let shard = 1; shard <= highest; shard++) {
    for await (const item of shardItems(table.options, sender, table.suffix.add(key, shard))) {
      items += 1
      last = item
      const target = readMoveName(item[MOVE_ATTRIBUTES.moving]?.S)?.target
      if (target !== undefined) targets.push(target)
      // Any process may finish the move, so one of the counts must explain the target, too.
      // mark: rebuild-knows-where-marked-items-go
      const places = target === undefined ? [shard] : [shard, target]
      const placeOf = itemPlace(options, item, key)
      const found = places.map((place) => placeOf && countRange(placeOf, place))
      const known = found.filter((range) => range !== undefined)
      if (known.length < places.length) unexplained.add(item)
      else for (const range of known) ranges.add(range)
    }
    onShard(items)
  }
  const explained = ranges.explained(initial)
  const epochSeconds = Math.floor(clock.now() / 1_000)
  switch (explained.kind) {
    case 'unexplained':
      if (last !== undefined) unexplained.add(last)
      return undefined
    case 'settled':
      return explained.shards === initial ? 'initial' : firstState(explained.shards, epochSeconds)
    case 'changing':
      return moved(explained.counts, targets, epochSeconds)
  }
}

/** The state of a key in a change. Marked items are on their way: without them, the change goes up, which moves items of few shards. */
function moved(
  [lower, higher]: readonly [number, number],
  targets: readonly number[],
  epochSeconds: number,
): Moved {
  const goesDown = targets.length > 0 && Math.max(...targets) <= lower
  const [from, to] = goesDown ? [higher, lower] : [lower, higher]
  const history = [historyEntry(epochSeconds, from), historyEntry(epochSeconds + 1, to)]
  return { phase: 'moved', from, to, shards: to, lastUpdated: epochSeconds + 1, history }
}
