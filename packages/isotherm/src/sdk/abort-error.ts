/** As the SDK's own request handler words it. */
export function abortError(reason: unknown): Error {
  return Object.assign(new Error('Request aborted', { cause: reason }), { name: 'AbortError' })
}
