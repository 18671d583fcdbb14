import type { KeyValue } from '@isotherm/semantics'
import type { ItemKey } from '../../keys/item-key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import type { ShardView } from '../states/shard-view.js'
import { jump } from './jump.js'
import { placeHash } from './place-hash.js'

/** Which shards an item may be in. */
export interface Placement {
  /**
   * Every shard that may hold the item, in the order in which an item passes them: those that items leave first, those that
   * they go to last. One shard where the place is certain.
   */
  candidates(view: ShardView, key: ItemKey): readonly number[]
  /** Where an item that is nowhere yet is created. */
  home(view: ShardView, key: ItemKey): number
}

/** Where the item may be besides its home: a creation checks that nothing is there. */
export function placesBesideHome(placement: Placement, view: ShardView, key: ItemKey): readonly number[] {
  const home = placement.home(view, key)
  return placement.candidates(view, key).filter((shard) => shard !== home)
}

/** What a calculated suffix is calculated from. */
type PlaceSource = (key: ItemKey) => readonly KeyValue[]

/** The placement that a table's options ask for. */
export function placementOf({
  suffix,
  partitionKey,
}: Pick<ShardedTable, 'suffix' | 'partitionKey'>): Placement {
  if (suffix === 'none') return { candidates: () => [1], home: () => 1 }
  if (suffix === 'random') return randomPlacement()
  const { from } = suffix
  if (from === undefined) return calculatedPlacement(sortKeyOrPartitionKey)
  return calculatedPlacement(({ logical, sort }) =>
    from.map((attribute) => (attribute === partitionKey || sort === undefined ? logical : sort)),
  )
}

/**
 * Any shard may hold any item. What has to be in one place all the same, as an item that is only created where there is
 * none, goes to a calculated one, so that two processes that create it meet.
 */
function randomPlacement(): Placement {
  const calculated = calculatedPlacement(sortKeyOrPartitionKey)
  return {
    // mark: append-is-sought-in-retired-shards
    // Items leave the highest numbers, and go down.
    candidates: ({ readable }) => Array.from({ length: readable }, (_, index) => readable - index),
    home: calculated.home,
  }
}

/** The key alone tells the shard; while the count changes, it may be in the old place or in the new one. */
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
