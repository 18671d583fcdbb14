import { type EncodedKey, HASH_BYTES } from '../keyspace/encoded-key.js'

/** Why a hot partition is left as it is. All are documented exceptions of split for heat. */
export type SplitRefusal = 'one-hot-item' | 'sort-key-only-moves-on' | 'one-collection-with-local-indexes'

export type SplitDecision =
  | { readonly split: true; readonly border: EncodedKey }
  | { readonly split: false; readonly because: SplitRefusal }

/** From this share of rising (or falling) steps on, a sort key counts as one that only moves on. */
const MONOTONIC_SHARE = 0.95

/** Fewer steps than this say nothing about a direction. */
const MONOTONIC_STEPS = 16

/**
 * Where to cut a hot partition so that its load halves, from the keys it was last asked for, oldest first.
 *
 * A cut helps only if load lies on both sides of it and stays there: not with one hot item, and not inside an item
 * collection whose sort key only grows, whose newest end takes all the load wherever it is cut. Such a collection can
 * still be parted from its neighbours.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
 *
 * @param wholeCollections whether a collection may only be parted from its neighbours, as in tables with local indexes.
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
    // A border is the first key of its right side, so the smallest key can be none.
    return { split: true, border: middle === first ? nextAfter(sorted, first) : middle }
  }
  const border = nearestCollectionBorder(sorted, collectionOf(middle))
  return border === undefined ? { split: false, because: 'sort-key-only-moves-on' } : { split: true, border }
}

function nextAfter(sorted: readonly EncodedKey[], key: EncodedKey): EncodedKey {
  return sorted.find((each) => each > key) ?? key
}

/** Partition keys are told apart by their hash: two that share all 64 bits are not told apart, and need not be. */
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

/** The edge of the middle collection that leaves the fairer halves, if anything lies beyond it. */
function nearestCollectionBorder(sorted: readonly EncodedKey[], collection: string): EncodedKey | undefined {
  const from = sorted.findIndex((key) => collectionOf(key) === collection)
  const to = sorted.findLastIndex((key) => collectionOf(key) === collection) + 1
  const half = sorted.length / 2
  const candidates = [from, to].filter((index) => index > 0 && index < sorted.length)
  const best = candidates.sort((a, b) => Math.abs(a - half) - Math.abs(b - half))[0]
  // The edge is where the hash changes, not at the first key that happened to be sampled behind it.
  return best === undefined ? undefined : (collectionOf(sorted[best] ?? ('' as EncodedKey)) as EncodedKey)
}
