import { isRefusedByCondition } from '../sdk/condition-refusal.js'
import { isCancellation } from '../sdk/transaction-errors.js'
import type { AttemptBudget } from './attempt-budget.js'
import type { Answered, Changed, Stale } from './outcome.js'
import type { SlowTable } from './slow-shard-map.js'

/**
 * How often a call decides again because its item has changed. Each change means that another writer has succeeded, so a call
 * reaches this limit only under heavy contention, and the other writers make progress.
 */
const MAX_ROUNDS = 20

type Decided<Output> = Answered<Output> | Stale | Changed

/**
 * Calls `decide`, which chooses a request and sends it, and repeats it while the decision is out of date. It repeats immediately
 * if the view has expired. From the second change of the item on, it waits with backoff.
 *
 * @param conflict creates the error of a call whose item has changed too often
 * @throws IsothermError `shard-map.slow`; the error of `decide`, or the error of an earlier attempt without a response
 */
export function untilDecided<Output>(
  budget: AttemptBudget,
  table: SlowTable,
  decide: () => Promise<Decided<Output>>,
  conflict: () => Error,
): Promise<Output> {
  const final = (error: unknown): never => {
    // A failed condition and a cancellation are thrown unchanged, even after an attempt without a response.
    throw isRefusedByCondition(error) || isCancellation(error) ? error : budget.lastWord(error)
  }
  const again = async (first: Decided<Output>): Promise<Output> => {
    let decided = first
    for (let rounds = 0; decided.kind !== 'answered'; decided = await decide()) {
      if (decided.kind === 'stale') budget.requireNewView(table)
      else if (++rounds > 1) {
        if (rounds > MAX_ROUNDS) throw budget.exhausted(conflict())
        const lastWord = await budget.wait(conflict())
        if (lastWord !== undefined) throw lastWord
      }
    }
    return decided.output
  }
  try {
    // A call whose first decision is carried out takes one promise: see `sendUntilAnswered`.
    return decide().then(
      (decided) => (decided.kind === 'answered' ? decided.output : again(decided).catch(final)),
      final,
    )
  } catch (error) {
    return final(error)
  }
}
