import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { type LogicalKey, plainKey } from '../keys/key.js'
import { readKey } from '../keys/read-key.js'
import type { ShardedTable } from '../options/sharded-table.js'
import type { StoredItem } from '../protocol/index.js'

/** An item that no count of its key explains. */
export interface UnexplainedItem {
  /** The partition key of the item, as it is stored. */
  readonly storedKey: string | Uint8Array
  /** The sort key of the item, in the form of the SDK's low-level commands. */
  readonly sortKey: AttributeValue | undefined
}

/** Examples in a report. People look at some items of a kind, and not at all of them. */
const MAX_EXAMPLES = 20

/** Counts the items that no count of their key explains, and keeps the first of them. */
export class UnexplainedItems {
  readonly #table: Pick<ShardedTable, 'name' | 'partitionKey' | 'sortKey'>
  readonly examples: UnexplainedItem[] = []
  count = 0

  constructor(table: Pick<ShardedTable, 'name' | 'partitionKey' | 'sortKey'>) {
    this.#table = table
  }

  add(item: StoredItem): void {
    const { partitionKey, sortKey, name } = this.#table
    this.count += 1
    if (this.examples.length >= MAX_EXAMPLES) return
    const storedKey = plainKey(readKey(name, partitionKey, item[partitionKey]) as LogicalKey)
    this.examples.push({ storedKey, sortKey: sortKey === undefined ? undefined : item[sortKey] })
  }
}
