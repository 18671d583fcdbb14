const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
])

/** Whether a request was refused for lack of capacity. */
export function isThrottle(error: unknown): boolean {
  return error instanceof Error && THROTTLES.has(error.name)
}
