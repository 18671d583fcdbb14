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
      const last = kept.at(-1)
      if (last === undefined || !this.#areCopies(last, item)) kept.push(item)
      else if (item.stage > last.stage) kept[kept.length - 1] = item
    }
    return kept
  }

  /** An item that was moved on from where it was moved to has another place in the order than its copy there. */
  #areCopies(a: PlacedItem, b: PlacedItem): boolean {
    const { order } = this.#plan
    if (comparePositions(a, b, order) === 0) return true
    const isOneMoveApart = a.movedFrom === b.heldBy || b.movedFrom === a.heldBy
    return isOneMoveApart && comparePositions(a, b, { ...order, parted: false }) === 0
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
