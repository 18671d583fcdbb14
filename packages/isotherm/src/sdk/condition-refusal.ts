import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'

/**
 * Whether a request failed because of its condition. Checked by name, because a project may contain two copies of the
 * SDK, and a bundler may rename classes.
 */
export function isRefusedByCondition(error: unknown): error is ConditionalCheckFailedException {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException'
}
