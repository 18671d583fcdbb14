import { MAX_TRANSACTION_ACTIONS } from '@isotherm/semantics'
import type { AttemptBudget } from '../attempts/attempt-budget.js'
import { hasMoves, isPastCreations, phaseMilliseconds } from '../protocol/index.js'
import { KeyViews } from '../reads/key-views.js'
import { viewToFind } from '../writes/view-to-find.js'
import type { PlacedAction } from './placed-action.js'
import { isSharded, type ShardedMember } from './transact-member.js'

/** A process reads the shard map about once a second when a phase is due. */
const LOOK_MILLISECONDS = 1_000

/** With much longer waits of the phases, an error is better than a request that does not end. */
const MAX_WAIT_MILLISECONDS = 60_000

/** The phases in which an item is created with a check of its other place. */
const PHASES = 2

/**
 * Waits until creations take one action each, for a transaction that would otherwise take too many.
 *
 * An item that may have two places is created under a check of the other place. So the creation of more than 50 such
 * items does not fit into one transaction. That ends when the count of their key has passed its first two phases: 30
 * seconds with the default options. Rejected: several transactions, because they would not be all or nothing.
 */
export class CreationWait {
  readonly #budget: AttemptBudget
  waitedMilliseconds = 0

  constructor(budget: AttemptBudget) {
    this.#budget = budget
  }

  /** @returns whether the items should be placed again, because creations take fewer actions now */
  async shortens(actions: readonly PlacedAction[]): Promise<boolean> {
    const checks = actions.filter(
      ({ role, request }) => role === 'added' && request.ConditionCheck !== undefined,
    )
    if (actions.length <= MAX_TRANSACTION_ACTIONS) return false
    if (actions.length - checks.length > MAX_TRANSACTION_ACTIONS) return false
    const members = checks.flatMap(({ member }) => (isSharded(member) ? [member] : []))
    const most = Math.max(...members.map(mostMilliseconds))
    while (this.waitedMilliseconds < most) {
      await this.#budget.pause(LOOK_MILLISECONDS)
      this.waitedMilliseconds += LOOK_MILLISECONDS
      if (await arePlain(members)) return true
    }
    return false
  }
}

function mostMilliseconds({ table: { options } }: ShardedMember): number {
  // A process learns of the end of the last phase when its cached view has expired.
  const phases = PHASES * phaseMilliseconds(options) + options.cacheMilliseconds
  return Math.min(phases, MAX_WAIT_MILLISECONDS)
}

async function arePlain(members: readonly ShardedMember[]): Promise<boolean> {
  const views = new KeyViews(viewToFind)
  for (const { table, itemKey } of members) {
    const view = await views.of(table, itemKey.logical)
    if (hasMoves(view) && !isPastCreations(view)) return false
  }
  return true
}
