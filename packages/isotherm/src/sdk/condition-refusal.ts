import type { AttributeValue } from '@aws-sdk/client-dynamodb'

/** A request that was refused by its condition. */
interface ConditionRefusal extends Error {
  /** The item that was met, where the request asked for it and there is one. */
  readonly Item?: Record<string, AttributeValue> | undefined
}

export function isRefusedByCondition(error: unknown): error is ConditionRefusal {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException'
}
