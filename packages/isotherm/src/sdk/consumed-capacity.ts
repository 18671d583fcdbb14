import type { ConsumedCapacity, ReturnConsumedCapacity } from '@aws-sdk/client-dynamodb'

/** Adds up the capacity of several requests, in the form of the service's response. */
export function addCapacity(
  sum: ConsumedCapacity | undefined,
  more: ConsumedCapacity | undefined,
): ConsumedCapacity | undefined {
  if (sum === undefined || more === undefined) return sum ?? more
  return added(sum, more) as ConsumedCapacity
}

function added(a: unknown, b: unknown): unknown {
  if (typeof a === 'number' && typeof b === 'number') return a + b
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a ?? b
  const total: Record<string, unknown> = { ...a }
  for (const [name, value] of Object.entries(b))
    total[name] = name in total ? added(total[name], value) : value
  return total
}

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
