import { type EncodedKey, HASH_BYTES } from '../keyspace/encoded-key.js'

/** Why a hot partition is not split. All are documented exceptions of split for heat. */
export type SplitRefusal = 'one-hot-item' | 'sort-key-only-moves-on' | 'one-collection-with-local-indexes'

export type SplitDecision =
  | { readonly split: true; readonly border: EncodedKey }
  | { readonly split: false; readonly because: SplitRefusal }

/** From this share of rising (or falling) steps on, a sort key counts as increasing (or decreasing) only. */
const MONOTONIC_SHARE = 0.95

/** Fewer steps than this do not indicate a direction. */
const MONOTONIC_STEPS = 16

/**
 * Chooses where to split a hot partition so that its load halves, from its last requested keys, oldest first.
 *
 * A split helps only if load lies on both sides of the border and stays there. It does not help with one hot item. It
 * does not help inside an item collection whose sort key only increases, because its newest end takes all the load
 * wherever the border is. Such a collection can still be separated from its neighbours. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
 *
 * @param wholeCollections whether a border inside a collection is forbidden, as in tables with local indexes.
 */
export function chooseSplitBorder(sample: readonly EncodedKey[], wholeCollections = false): SplitDecision {
  const sorted = [...sample].sort()
  const first = sorted[0]
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (first === undefined || middle === undefined || first === sorted.at(-1)) {
    return { split: false, because: 'one-hot-item' }
  }
  if (wholeCollections) {
    const border = nearestCollectionBorder(sorted, collectionOf(middle))
    if (border !== undefined) return { split: true, border }
    return { split: false, because: 'one-collection-with-local-indexes' }
  }
  if (!onlyMovesOn(sample.filter((key) => collectionOf(key) === collectionOf(middle)))) {
    // A border is the first key of its right side, so it cannot be the smallest key.
    return { split: true, border: middle === first ? nextAfter(sorted, first) : middle }
  }
  const border = nearestCollectionBorder(sorted, collectionOf(middle))
  return border === undefined ? { split: false, because: 'sort-key-only-moves-on' } : { split: true, border }
}

function nextAfter(sorted: readonly EncodedKey[], key: EncodedKey): EncodedKey {
  return sorted.find((each) => each > key) ?? key
}

/** Partition keys are compared by their hash. Two keys that share all 64 bits count as one, which does no harm. */
function collectionOf(key: EncodedKey): string {
  return key.slice(0, HASH_BYTES)
}

function onlyMovesOn(keys: readonly EncodedKey[]): boolean {
  let rising = 0
  let falling = 0
  for (let index = 1; index < keys.length; index++) {
    const [before = '', after = ''] = [keys[index - 1], keys[index]]
    if (after > before) rising++
    else if (after < before) falling++
  }
  const steps = rising + falling
  return steps >= MONOTONIC_STEPS && Math.max(rising, falling) >= steps * MONOTONIC_SHARE
}

/** The edge of the middle collection that leaves the more equal halves, if there are keys beyond it. */
function nearestCollectionBorder(sorted: readonly EncodedKey[], collection: string): EncodedKey | undefined {
  const from = sorted.findIndex((key) => collectionOf(key) === collection)
  const to = sorted.findLastIndex((key) => collectionOf(key) === collection) + 1
  const half = sorted.length / 2
  const candidates = [from, to].filter((index) => index > 0 && index < sorted.length)
  const best = candidates.sort((a, b) => Math.abs(a - half) - Math.abs(b - half))[0]
  // The edge is where the hash changes, not the first sampled key after it.
  return best === undefined ? undefined : (collectionOf(sorted[best] ?? ('' as EncodedKey)) as EncodedKey)
}
