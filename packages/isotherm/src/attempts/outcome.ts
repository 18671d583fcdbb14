/** The result of a request to a shard, after all its attempts. */
export type Outcome<Output> =
  | Answered<Output>
  | Stale
  /** Every attempt was refused. The error is the one for the application. */
  | { readonly kind: 'refused'; readonly error: Error }
  /** The error is not worth retrying. */
  | { readonly kind: 'failed'; readonly error: unknown }

export interface Answered<Output> {
  readonly kind: 'answered'
  readonly output: Output
}

/** The request was not sent, because its view of the shard map had expired. The caller decides again on a new view. */
export interface Stale {
  readonly kind: 'stale'
}

/** The item changed after the decision, so the request did not take effect. The caller decides again. */
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
 * Returns the output of a request whose view does not expire.
 * @throws the error of a request that was refused or failed
 */
export function answerOf<Output>(outcome: Outcome<Output>): Output {
  if (outcome.kind === 'answered') return outcome.output
  throw 'error' in outcome ? outcome.error : new Error(outcome.kind)
}
