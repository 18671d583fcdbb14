import { isRefusedByCondition } from '../sdk/condition-refusal.js'
import { isCancellation } from '../sdk/transaction-errors.js'
import type { AttemptBudget } from './attempt-budget.js'
import type { Answered, Changed, Stale } from './outcome.js'
import type { SlowTable } from './slow-shard-map.js'

/**
 * How often a call decides again because its item has changed. Each time something else has happened to the item in
 * between, so a call that gets that far has met a crowd, and the crowd has got on.
 */
const MAX_ROUNDS = 20

/**
 * Decides what to send and sends it, again while the decision is out of date: at once where its view has expired, and from
 * the second change of the item on after growing waits.
 *
 * @param conflict what the call ends with where its item has changed too often
 * @throws IsothermError `shard-map.slow`; what the decision throws, or the error of an attempt without an answer before it
 */
export async function untilDecided<Output>(
  budget: AttemptBudget,
  table: SlowTable,
  decide: () => Promise<Answered<Output> | Stale | Changed>,
  conflict: () => Error,
): Promise<Output> {
  try {
    for (let rounds = 0; ; ) {
      const decided = await decide()
      if (decided.kind === 'answered') return decided.output
      if (decided.kind === 'stale') budget.requireNewView(table)
      else if (++rounds > 1) {
        if (rounds > MAX_ROUNDS) throw budget.exhausted(conflict())
        const lastWord = await budget.wait(conflict())
        if (lastWord !== undefined) throw lastWord
      }
    }
  } catch (error) {
    // What a condition has said stands, whatever came of the attempts before.
    throw isRefusedByCondition(error) || isCancellation(error) ? error : budget.lastWord(error)
  }
}
