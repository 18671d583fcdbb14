import { AbortScope } from '../attempts/abort-scope.js'

/**
 * Waits for work that several callers share until the signal of one of them aborts. The work goes on for the others.
 *
 * @throws the SDK's error for an aborted request
 */
export function unlessAborted<Result>(
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  return signal === undefined ? work() : new AbortScope([signal]).run(work)
}
