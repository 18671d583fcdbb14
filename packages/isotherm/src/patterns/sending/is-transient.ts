const THROTTLES: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
])

/** Whether the same request may succeed a little later: it was throttled, or the service or the network failed. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (THROTTLES.has(error.name) || error.name === 'TimeoutError') return true
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } }
  return ($metadata?.httpStatusCode ?? 0) >= 500
}
