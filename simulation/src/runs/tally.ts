import type { RunResult } from './run-seed.js'

/** What a run came to, in numbers: what one process can tell another one of it. */
export type Tally = Pick<
  RunResult,
  | 'hash'
  | 'simulatedMilliseconds'
  | 'requests'
  | 'transactions'
  | 'countChanges'
  | 'faults'
  | 'coverage'
  | 'histories'
>

/** The numbers of a run. */
export function tallyOf(result: RunResult): Tally {
  const { hash, simulatedMilliseconds, requests, transactions, countChanges, faults, coverage, histories } =
    result
  return { hash, simulatedMilliseconds, requests, transactions, countChanges, faults, coverage, histories }
}
