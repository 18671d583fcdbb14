import { comparePositions, type MergeOrder, type PlacedItem } from './position.js'

/**
 * Merges the items of several shards, each of which is in order. Items at equal positions stay in the order of the parts.
 *
 * `Array.sort` detects parts that are in order, too, but cannot inline the comparison. With it, a query read two thirds as many small
 * items of 64 shards in the same processor time.
 */
export function mergeInOrder(
  parts: readonly (readonly PlacedItem[])[],
  order: MergeOrder,
): readonly PlacedItem[] {
  let merged = parts
  while (merged.length > 1) merged = mergeNeighbours(merged, order)
  return merged[0] ?? []
}

/** Half as many parts: each with its neighbour, so that the order of the parts stays. */
function mergeNeighbours(
  parts: readonly (readonly PlacedItem[])[],
  order: MergeOrder,
): (readonly PlacedItem[])[] {
  const merged: (readonly PlacedItem[])[] = []
  for (let index = 0; index < parts.length; index += 2) {
    const [first = [], second] = parts.slice(index, index + 2)
    merged.push(second === undefined ? first : mergeTwo(first, second, order))
  }
  return merged
}

function mergeTwo(
  first: readonly PlacedItem[],
  second: readonly PlacedItem[],
  order: MergeOrder,
): readonly PlacedItem[] {
  // With its length from the start: a list that grows allocates four times as much.
  const merged = new Array<PlacedItem>(first.length + second.length)
  let [firstIndex, secondIndex] = [0, 0]
  for (let index = 0; index < merged.length; index++) {
    const [left, right] = [first[firstIndex], second[secondIndex]]
    if (left !== undefined && (right === undefined || comparePlaced(left, right, order) <= 0)) {
      merged[index] = left
      firstIndex += 1
    } else if (right !== undefined) {
      merged[index] = right
      secondIndex += 1
    }
  }
  return merged
}

/** Like `comparePositions`, by the ranks of two items that have them. */
function comparePlaced(a: PlacedItem, b: PlacedItem, order: MergeOrder): number {
  const [left, right] = [a.rank, b.rank]
  if (left !== right) {
    if (typeof left === 'number' && typeof right === 'number') return order.direction * (left - right)
    if (typeof left === 'string' && typeof right === 'string') {
      return left < right ? -order.direction : order.direction
    }
  }
  return comparePositions(a, b, order)
}
