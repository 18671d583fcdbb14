import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { bytesAsText } from '@isotherm/semantics'
import type { CopyFilter } from '../queries/copy-filter.js'
import type { PlacedItem } from '../queries/position.js'
import type { QuerySource } from '../queries/query-source.js'

/**
 * A copy filter for indexes, where many items may have the same position. They are identified by their keys, without
 * the shard.
 */
export class IndexCopyFilter implements CopyFilter {
  readonly #attributes: readonly string[]
  readonly #seen = new Set<string>()

  constructor({ keyAttributes }: QuerySource, partitionKey: string) {
    this.#attributes = keyAttributes.filter((attribute) => attribute !== partitionKey)
  }

  without(items: readonly PlacedItem[]): readonly PlacedItem[] {
    return items.filter((item) => this.#isNew(item))
  }

  #isNew({ item }: PlacedItem): boolean {
    const name = JSON.stringify(this.#attributes.map((attribute) => textOf(item[attribute])))
    if (this.#seen.has(name)) return false
    this.#seen.add(name)
    return true
  }
}

function textOf(value: AttributeValue | undefined): unknown {
  return value?.B === undefined ? value : { B: bytesAsText(value.B) }
}
