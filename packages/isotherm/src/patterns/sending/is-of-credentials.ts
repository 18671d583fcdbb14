/**
 * A provider that refreshes credentials may have valid ones soon: its source did not answer, or a file has those of before. The service may
 * not know new ones yet, and a file that is being rotated may have the id of one key with the secret of another.
 */
const CREDENTIALS: ReadonlySet<string> = new Set([
  'CredentialsProviderError',
  'TokenProviderError',
  'ExpiredTokenException',
  'UnrecognizedClientException',
  'InvalidSignatureException',
])

/** Whether a request failed because the process has no valid credentials, for now or for good. */
export function isOfCredentials(error: unknown): boolean {
  return error instanceof Error && CREDENTIALS.has(error.name)
}
