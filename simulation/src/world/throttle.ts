const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
])

/** Whether a request was refused for lack of capacity. */
export function isThrottle(error: unknown): boolean {
  return error instanceof Error && THROTTLES.has(error.name)
}

/** Whether one partition refused it, and nothing wider. */
export function isKeyRangeThrottle(error: unknown): boolean {
  if (!isThrottle(error)) return false
  const { ThrottlingReasons, throttlingReasons } = error as {
    readonly ThrottlingReasons?: readonly { readonly reason?: string }[]
    readonly throttlingReasons?: readonly { readonly reason?: string }[]
  }
  const reasons = ThrottlingReasons ?? throttlingReasons ?? []
  return reasons.length > 0 && reasons.every(({ reason }) => reason?.startsWith('TableWriteKeyRange'))
}
