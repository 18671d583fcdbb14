import type { AttributeValue, ConsumedCapacity, QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import type { SuffixableKey } from '../keys/key.js'
import { MOVE_ATTRIBUTES, readOrigins } from '../protocol/index.js'
import { addCapacity } from '../sdk/consumed-capacity.js'
import { compareKeys, type KeyBytes } from './stored-order.js'

/** An item of an inverted index. */
export interface InvertedItem {
  readonly logical: KeyBytes
  readonly shard: number | undefined
  readonly stored: SuffixableKey
  readonly item: Record<string, AttributeValue>
}

/** The items found for a page, one for each logical key, and what they cost. */
export class InvertedPage {
  readonly #items = new Map<string, InvertedItem>()
  #metadata: QueryCommandOutput['$metadata'] = {}
  #attempts = 0
  capacity: ConsumedCapacity | undefined
  scanned = 0

  /** Counts the result of a request. */
  count({ $metadata, ConsumedCapacity, ScannedCount = 0 }: QueryCommandOutput): void {
    this.#metadata = $metadata
    this.#attempts += $metadata.attempts ?? 1
    this.capacity = addCapacity(this.capacity, ConsumedCapacity)
    this.scanned += ScannedCount
  }

  has(logical: KeyBytes): boolean {
    return this.#items.has(nameOf(logical))
  }

  /** Adds an item. Of two copies of an item that is being moved, the page keeps the one that it was moved to. */
  add(item: InvertedItem): void {
    const name = nameOf(item.logical)
    const other = this.#items.get(name)
    if (other === undefined || isMovedFrom(item, other)) this.#items.set(name, item)
  }

  inOrder(direction: 1 | -1): readonly InvertedItem[] {
    return [...this.#items.values()].sort((a, b) => direction * compareKeys(a.logical, b.logical))
  }

  get metadata(): QueryCommandOutput['$metadata'] {
    return { ...this.#metadata, attempts: this.#attempts }
  }
}

function nameOf(logical: KeyBytes): string {
  return Buffer.from(logical).toString('latin1')
}

function isMovedFrom({ item }: InvertedItem, { shard }: InvertedItem): boolean {
  return shard !== undefined && readOrigins(item[MOVE_ATTRIBUTES.moved]?.S).includes(shard)
}
