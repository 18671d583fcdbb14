import { type BoundCondition, matches } from '@isotherm/semantics'
import type { StoredItem } from '../storage/ordered-map.js'
import { nowAndOverTurns } from '../storage/over-turns.js'
import type { Awaitable } from '../storage/storage.js'

/** Evaluating as many conditions takes a few milliseconds. */
const CONDITIONS_PER_TURN = 50_000
/** Looking through as many bytes, for `contains`, takes about as long as another condition. */
const BYTES_PER_CONDITION = 512

/**
 * The items of a page that a filter keeps. A page can have 20,000 items and a filter 10,000 conditions. Such pages are
 * filtered over many turns of the event loop, and all others at once.
 */
export function filteredItems(
  items: readonly StoredItem[],
  filter: BoundCondition | undefined,
): Awaitable<readonly StoredItem[]> {
  if (filter === undefined) return items
  return nowAndOverTurns(filterInSteps(items, filter))
}

function* filterInSteps(
  items: readonly StoredItem[],
  filter: BoundCondition,
): Generator<undefined, readonly StoredItem[], undefined> {
  const conditions = conditionCount(filter)
  const kept: StoredItem[] = []
  let evaluated = 0
  for (const stored of items) {
    if (evaluated > CONDITIONS_PER_TURN) {
      yield
      evaluated = 0
    }
    if (matches(filter, stored.item)) kept.push(stored)
    evaluated += conditions * (1 + stored.bytes / BYTES_PER_CONDITION)
  }
  return kept
}

function conditionCount(condition: BoundCondition): number {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return conditionCount(condition.left) + conditionCount(condition.right)
    case 'not':
      return conditionCount(condition.condition)
    case 'in':
      return condition.options.length
    default:
      return 1
  }
}
