import type { KeyValue } from '@isotherm/semantics'
import type { ItemKey } from '../../keys/item-key.js'
import type { OwnPlace, ShardedTable } from '../../options/sharded-table.js'
import type { ShardView } from '../states/shard-view.js'
import { jump } from './jump.js'
import { placeHash } from './place-hash.js'

/** The shards that an item may be in. */
export interface Placement {
  /**
   * Returns every shard that may hold the item, in the order in which an item moves through them: the shards that items leave come
   * first, the shards that they move to come last. Returns one shard if the place is certain.
   */
  candidates(view: ShardView, key: ItemKey): readonly number[]
  /** Returns the shard in which a new item is created. */
  home(view: ShardView, key: ItemKey): number
}

/** Returns the shards besides its home that may hold the item. A creation checks that they do not. */
export function placesBesideHome(placement: Placement, view: ShardView, key: ItemKey): readonly number[] {
  const home = placement.home(view, key)
  return placement.candidates(view, key).filter((shard) => shard !== home)
}

/** Returns the values from which a calculated suffix is calculated. */
type PlaceSource = (key: ItemKey) => readonly KeyValue[]

/** Returns the placement for the options of a table. */
export function placementOf({
  suffix,
  partitionKey,
}: Pick<ShardedTable, 'suffix' | 'partitionKey'>): Placement {
  if (suffix === 'none') return { candidates: () => [1], home: () => 1 }
  if (suffix === 'random') return randomPlacement()
  const { from, ownPlace } = suffix
  if (ownPlace !== undefined) return ownPlacement(ownPlace)
  if (from === undefined) return calculatedPlacement(sortKeyOrPartitionKey)
  return calculatedPlacement(({ logical, sort }) =>
    from.map((attribute) => (attribute === partitionKey || sort === undefined ? logical : sort)),
  )
}

/** The count of such a table never changes, so an item has one place. */
function ownPlacement(place: OwnPlace): Placement {
  const home: Placement['home'] = ({ shards }, { logical, sort }) => place(logical, sort, shards)
  return { candidates: (view, key) => [home(view, key)], home }
}

/**
 * Any shard may hold any item. An item that may be created only once still needs one place, so that two processes that create it
 * conflict. Its home is calculated.
 */
function randomPlacement(): Placement {
  const calculated = calculatedPlacement(sortKeyOrPartitionKey)
  return {
    // mark: append-is-sought-in-retired-shards
    // Items move from the highest shards to lower ones.
    candidates: ({ readable }) => Array.from({ length: readable }, (_, index) => readable - index),
    home: calculated.home,
  }
}

/** The key alone determines the shard. While the count changes, the item is at its old place or at its new one. */
function calculatedPlacement(source: PlaceSource): Placement {
  return {
    candidates: ({ shards, moves }, key) => {
      const hash = placeHash(source(key))
      if (moves?.kind !== 'change') return [place(hash, shards)]
      const from = place(hash, moves.from)
      const to = place(hash, moves.to)
      // mark: moving-item-has-two-places
      return from === to ? [from] : [from, to]
    },
    // mark: item-is-created-at-its-old-place
    home: ({ shards }, key) => place(placeHash(source(key)), shards),
  }
}

function place(hash: bigint, shards: number): number {
  // mark: place-is-a-jump-hash
  return jump(hash, shards) + 1
}

function sortKeyOrPartitionKey({ logical, sort }: ItemKey): readonly KeyValue[] {
  return [sort ?? logical]
}
