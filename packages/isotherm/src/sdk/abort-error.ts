/** An error like that of the SDK's own request handler. */
export function abortError(reason: unknown): Error {
  return Object.assign(new Error('Request aborted', { cause: reason }), { name: 'AbortError' })
}
