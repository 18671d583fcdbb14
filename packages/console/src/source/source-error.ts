/** The endpoint does not give the figures of a source. The message says which, why, and what helps. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}
