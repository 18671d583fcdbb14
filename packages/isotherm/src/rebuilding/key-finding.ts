import type { LogicalKey } from '../keys/key.js'
import {
  type AtRest,
  atRest,
  historyEntry,
  loweredCounts,
  readableShards,
  type ShardState,
} from '../protocol/index.js'

/** What a pass over the table has found of one logical key, or of one value of an index. */
export class KeyFinding {
  readonly key: LogicalKey
  highest: number
  /** The shards with items that were marked for a move. */
  readonly #marked: Set<number>

  constructor(key: LogicalKey, before?: ShardState) {
    this.key = key
    this.highest = before === undefined ? 1 : readableShards(before)
    this.#marked = new Set(
      before === undefined ? [] : loweredCounts(before.history).map((count) => count + 1),
    )
  }

  /** @returns whether this says more than is known */
  add(shard: number, isMarked: boolean): boolean {
    const isNew = shard > this.highest || (isMarked && shard > 1 && !this.#marked.has(shard))
    this.highest = Math.max(this.highest, shard)
    if (isMarked && shard > 1) this.#marked.add(shard)
    return isNew
  }

  /**
   * The state of a key whose items may be in any shard. Queries read each shard up to the highest. An item that is marked may be on its way
   * to a lower shard, so the history has a count below that shard, as after a change of the count, and a process finishes the move.
   */
  state(initial: number, epochSeconds: number): AtRest {
    const shards = Math.max(this.highest, initial)
    const below = [...this.#marked].map((shard) => shard - 1).sort((a, b) => b - a)
    const counts = below.length === 0 ? [shards] : [shards, ...below, shards]
    const lastUpdated = epochSeconds + counts.length - 1
    return atRest({
      shards,
      lastUpdated,
      history: counts.map((count, at) => historyEntry(epochSeconds + at, count)),
    })
  }
}
