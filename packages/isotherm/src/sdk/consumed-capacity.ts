import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'

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
