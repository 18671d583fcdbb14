import type { ConsumedCapacity, ReturnConsumedCapacity } from '@aws-sdk/client-dynamodb'
import { addCapacity } from './consumed-capacity.js'

/** Sums the consumed capacity of many requests by table, as batches and transactions report it. */
export class CapacityByTable {
  readonly #tables = new Map<string | undefined, ConsumedCapacity>()

  add(capacities: readonly ConsumedCapacity[] = []): void {
    for (const capacity of capacities) {
      const sum = addCapacity(this.#tables.get(capacity.TableName), capacity)
      if (sum !== undefined) this.#tables.set(capacity.TableName, sum)
    }
  }

  /** The member of the response, if it was requested and the service reported it. */
  answer(asked: ReturnConsumedCapacity | undefined): { ConsumedCapacity?: ConsumedCapacity[] } {
    if (asked === undefined || asked === 'NONE' || this.#tables.size === 0) return {}
    return { ConsumedCapacity: [...this.#tables.values()] }
  }
}
