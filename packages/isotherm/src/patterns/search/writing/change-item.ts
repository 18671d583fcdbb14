import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { backoffMilliseconds } from '../../../attempts/backoff.js'
import { requestToken } from '../../../attempts/request-token.js'
import { IsothermError } from '../../../errors/isotherm-error.js'
import { refusalOf } from '../../refusal.js'
import type { BaseItem } from '../model/base-item.js'
import type { DirectoryTarget } from '../model/directory-target.js'
import { requireFittingItem } from '../model/require-fitting-item.js'
import { commitChange } from './commit-change.js'
import { readBase } from './read-base.js'

/** What becomes of an item. `undefined` for `after`: it is deleted. */
export interface WantedChange {
  readonly after: Omit<BaseItem, 'version' | 'tenant' | 'id' | 'others'> | undefined
  readonly checks?: readonly TransactWriteItem[]
}

/** Others may be faster so often. */
const MAX_TRIES = 20

/**
 * Changes an item from whatever it is. The change is decided again when something else has changed the item meanwhile.
 *
 * @param decide gets the item, or `undefined` if there is none; returns `undefined` to leave everything as it is. It throws for what is impossible
 * @returns the item afterwards
 * @throws IsothermError `search.busy`; `pattern.value` for an item that is too large
 */
export async function changeItem(
  target: DirectoryTarget,
  tenant: string,
  id: string,
  decide: (item: BaseItem | undefined) => Promise<WantedChange | undefined> | WantedChange | undefined,
): Promise<BaseItem | undefined> {
  const { patience, definition } = target
  let own: string | undefined
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const before = await readBase(target, tenant, id)
    // An attempt whose answer was lost has carried it out.
    if (own !== undefined && before?.version === own) return before
    const visible = before?.importing === undefined ? before : undefined
    const wanted = await decide(visible)
    if (wanted === undefined) return visible
    own = requestToken(patience.random)
    const after = wanted.after && { ...wanted.after, tenant, id, version: own, others: visible?.others ?? {} }
    if (after !== undefined) requireFittingItem(definition, after)
    try {
      await commitChange(target, { tenant, id, before, after, checks: wanted.checks ?? [] })
      return after
    } catch (error) {
      if (refusalOf(error)?.kind !== 'condition') throw error
    }
    await patience.clock.sleep(backoffMilliseconds(patience.random, tries), patience.signal)
  }
  throw new IsothermError(
    'search.busy',
    `Others changed ${id} of ${tenant} in ${definition.table} before each of ${MAX_TRIES} attempts. Change it from fewer places at a time.`,
    { table: definition.table, tenant, id },
  )
}
