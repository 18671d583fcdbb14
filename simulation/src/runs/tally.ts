import type { RunResult } from './run-seed.js'

/** The result of a run in numbers, which one process can send to another. */
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
