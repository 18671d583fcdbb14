import type { Random } from '@isotherm/runtime'

/** The SDK's standard mode for DynamoDB, as it is since November 2026. */
const TRANSIENT_BASE_MILLISECONDS = 25
const THROTTLING_BASE_MILLISECONDS = 1_000
const MAX_MILLISECONDS = 20_000

export type RetryKind = 'transient' | 'throttled'

/**
 * How long the SDK waits before its next attempt of a request.
 * Source: https://aws.amazon.com/blogs/developer/updated-default-retry-behavior-for-aws-sdks-and-tools/
 */
export function retryDelay(random: Random, kind: RetryKind, retries: number): number {
  const base = kind === 'throttled' ? THROTTLING_BASE_MILLISECONDS : TRANSIENT_BASE_MILLISECONDS
  return Math.min(MAX_MILLISECONDS, random.next() * base * 2 ** retries)
}
