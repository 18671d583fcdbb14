import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { bytesAsText } from '@isotherm/semantics'
import type { CopyFilter } from '../queries/copy-filter.js'
import type { PlacedItem } from '../queries/position.js'
import type { QuerySource } from '../queries/query-source.js'

/** The same in an index, where many items have one place: they are told apart by their keys, the shard left out. */
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
