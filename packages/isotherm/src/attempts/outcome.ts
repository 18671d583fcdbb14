/** What came of a request to a shard, after as many attempts as it could have. */
export type Outcome<Output> =
  | Answered<Output>
  | Stale
  /** Every attempt was refused. The error is what the application gets. */
  | { readonly kind: 'refused'; readonly error: Error }
  /** Another attempt would not help. */
  | { readonly kind: 'failed'; readonly error: unknown }

export interface Answered<Output> {
  readonly kind: 'answered'
  readonly output: Output
}

/** The request was not sent, because its view of the shard map had expired: the caller decides again on a fresh view. */
export interface Stale {
  readonly kind: 'stale'
}

/** What was decided on the view did not hold any more when it was carried out: the caller decides again. */
export interface Changed {
  readonly kind: 'changed'
}

export function answered<Output>(output: Output): Answered<Output> {
  return { kind: 'answered', output }
}

export const STALE: Stale = { kind: 'stale' }
export const CHANGED: Changed = { kind: 'changed' }

/** @throws the error of a request that was refused or failed */
export function unlessFailed<Output>(outcome: Outcome<Output>): Answered<Output> | Stale {
  if ('error' in outcome) throw outcome.error
  return outcome
}

/**
 * The answer to a request that is sent whenever it can be: its view does not expire.
 * @throws the error of a request that was refused or failed
 */
export function answerOf<Output>(outcome: Outcome<Output>): Output {
  if (outcome.kind === 'answered') return outcome.output
  throw 'error' in outcome ? outcome.error : new Error(outcome.kind)
}
