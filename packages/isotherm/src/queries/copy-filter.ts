import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { bytesAsText } from '@isotherm/semantics'
import { comparePositions } from './position.js'
import type { QueryPlan } from './query-plan.js'
import type { PlacedItem } from './shard-stream.js'

/**
 * Of an item that moved while a page was read, both copies may have been read: the one at its source and, later, the one
 * at its target. It is one item, as the target has it.
 */
export class CopyFilter {
  readonly #plan: QueryPlan
  readonly #partitionKey: string
  readonly #seen = new Set<string>()

  constructor(plan: QueryPlan, partitionKey: string) {
    this.#plan = plan
    this.#partitionKey = partitionKey
  }

  /** @param items the next ones in the merged order */
  without(items: readonly PlacedItem[]): readonly PlacedItem[] {
    return this.#plan.source.isUnique
      ? this.#oneForEachPlace(items)
      : items.filter((item) => this.#isNew(item))
  }

  #oneForEachPlace(items: readonly PlacedItem[]): readonly PlacedItem[] {
    const kept: PlacedItem[] = []
    for (const item of items) {
      const index = this.#copyOf(item, kept)
      const copy = kept[index]
      if (copy !== undefined && item.stage <= copy.stage) continue
      if (copy !== undefined) kept.splice(index, 1)
      kept.push(item)
    }
    return kept
  }

  /** Where among the kept ones of the same sort key, which are the last, there is a copy of the item; -1 for nowhere. */
  #copyOf(item: PlacedItem, kept: readonly PlacedItem[]): number {
    const { order } = this.#plan
    const bySort = { ...order, parted: false }
    for (let index = kept.length - 1; index >= 0; index--) {
      const other = kept[index]
      if (other === undefined || comparePositions(other, item, bySort) !== 0) return -1
      // An item that was moved on from where it was moved to has another place in the order than its copies there.
      const isMovedOn = item.origins.includes(other.heldBy) || other.origins.includes(item.heldBy)
      if (isMovedOn || comparePositions(other, item, order) === 0) return index
    }
    return -1
  }

  /** In an index many items have one place, so they are told apart by their keys, the shard left out. */
  #isNew({ item }: PlacedItem): boolean {
    const attributes = this.#plan.source.keyAttributes.filter((attribute) => attribute !== this.#partitionKey)
    const name = JSON.stringify(attributes.map((attribute) => textOf(item[attribute])))
    if (this.#seen.has(name)) return false
    this.#seen.add(name)
    return true
  }
}

function textOf(value: AttributeValue | undefined): unknown {
  return value?.B === undefined ? value : { B: bytesAsText(value.B) }
}
