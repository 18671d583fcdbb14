import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'

/** Whether a condition has refused a request. By its name: a project may hold two copies of the SDK, and a bundler may rename classes. */
export function isRefusedByCondition(error: unknown): error is ConditionalCheckFailedException {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException'
}
