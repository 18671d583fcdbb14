import type { ConsumedCapacity, ReturnConsumedCapacity } from '@aws-sdk/client-dynamodb'
import { addCapacity } from './consumed-capacity.js'

/** Consumed capacity of many requests, one entry for each table, as batches and transactions answer it. */
export class CapacityByTable {
  readonly #tables = new Map<string | undefined, ConsumedCapacity>()

  add(capacities: readonly ConsumedCapacity[] = []): void {
    for (const capacity of capacities) {
      const sum = addCapacity(this.#tables.get(capacity.TableName), capacity)
      if (sum !== undefined) this.#tables.set(capacity.TableName, sum)
    }
  }

  /** The member of the answer, where it was asked for and the service told. */
  answer(asked: ReturnConsumedCapacity | undefined): { ConsumedCapacity?: ConsumedCapacity[] } {
    if (asked === undefined || asked === 'NONE' || this.#tables.size === 0) return {}
    return { ConsumedCapacity: [...this.#tables.values()] }
  }
}
