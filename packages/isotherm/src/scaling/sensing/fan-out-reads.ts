import { RecentlyUsedMap } from '../../bounded/recently-used-map.js'
import { keyText, type LogicalKey } from '../../keys/key.js'
import type { PlacementKind } from '../../options/sharded-table.js'
import type { ShardViews } from '../../protocol/index.js'

/** The maximum number of keys whose reads are counted: the most recently read ones. */
const MAX_KEYS = 1_000

/** What it costs at least to ask a shard, even if it has no item. */
const CONSISTENT_UNITS = 1
const EVENTUALLY_CONSISTENT_UNITS = 0.5

/** Counts what the requests of this process pay because a key has several shards to ask. */
export class FanOutReads {
  /** Read units for each shard. */
  readonly #units = new RecentlyUsedMap<string, number>(MAX_KEYS)

  /** Records a request that asks every shard of the key. */
  asked(key: LogicalKey, isConsistent: boolean): void {
    const text = keyText(key)
    const units = isConsistent ? CONSISTENT_UNITS : EVENTUALLY_CONSISTENT_UNITS
    this.#units.set(text, (this.#units.peek(text) ?? 0) + units)
  }

  /** Returns the read units for each shard of the key since the last call. */
  take(key: LogicalKey): number {
    const text = keyText(key)
    const units = this.#units.peek(text)
    if (units === undefined || units === 0) return 0
    this.#units.set(text, 0)
    return units
  }
}

/**
 * Counts the requests that look up a view in order to ask every shard: with a random suffix all that look for items, with a
 * calculated one only queries. Keys with the initial count have nothing to lose, and are not counted.
 */
export function countedViews(
  views: ShardViews,
  reads: FanOutReads,
  { initial, placementKind }: { readonly initial: number; readonly placementKind: PlacementKind },
): ShardViews {
  const asksAlways = placementKind === 'random'
  return {
    known: (key) => views.known(key),
    forWrite: (key) => views.forWrite(key),
    guess: (key) => views.guess(key),
    oneShard: (key) => views.oneShard(key),
    checkTable: (key) => views.checkTable(key),
    viewNow: (key) => views.viewNow(key),
    forRead: (key, how) => {
      const view = views.forRead(key, how)
      const mayAsk = view instanceof Promise || view.readable > initial
      if (mayAsk && (asksAlways || how.atLeast !== undefined)) reads.asked(key, how.consistent)
      return view
    },
  }
}
