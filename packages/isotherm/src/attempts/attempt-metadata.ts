import type { GetItemCommandOutput } from '@aws-sdk/client-dynamodb'

/** The SDK's `$metadata`, which counts attempts. */
export type AttemptMetadata = GetItemCommandOutput['$metadata']

/** How many attempts an answer or an error of the SDK took. */
export function attemptsOf(outcome: unknown): number {
  return metadataOf(outcome)?.attempts ?? 1
}

/** The same error, telling of all the attempts and waits of the call. */
export function withAttempts<Failure extends Error>(
  error: Failure,
  attempts: number,
  totalRetryDelay: number,
): Failure {
  return Object.assign(error, { $metadata: { ...metadataOf(error), attempts, totalRetryDelay } })
}

function metadataOf(outcome: unknown): AttemptMetadata | undefined {
  if (typeof outcome !== 'object' || outcome === null || !('$metadata' in outcome)) return undefined
  return outcome.$metadata as AttemptMetadata | undefined
}
