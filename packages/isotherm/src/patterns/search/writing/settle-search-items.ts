import { backoffMilliseconds } from '../../../attempts/backoff.js'
import { refusalOf } from '../../refusal.js'
import { type DerivedItems, derivedItems } from '../model/derived-items.js'
import type { DirectoryTarget } from '../model/directory-target.js'
import { itemId } from '../model/keys.js'
import { baseCheck, parts, putSearchItem, removeSearchItem, transact } from './actions.js'
import { readBase } from './read-base.js'

/** Whoever changes the item meanwhile writes its search items as well. */
const MAX_TRIES = 20
const NONE: DerivedItems = new Map()

/**
 * Puts or removes some search items of an item, as the item is now: under the condition that it is so still. It may be repeated, and may come
 * late.
 *
 * @param names sort keys of the search items
 * @returns whether the item held still for it
 */
export async function settleSearchItems(
  target: DirectoryTarget,
  tenant: string,
  id: string,
  names: readonly string[],
): Promise<boolean> {
  if (names.length === 0) return true
  const { definition, patience } = target
  const ID = itemId(tenant, id)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const item = await readBase(target, tenant, id)
    const wanted = item === undefined ? NONE : derivedItems(definition, item)
    const actions = names.map((name) => {
      const key = wanted.get(name)
      return key === undefined
        ? removeSearchItem(definition, ID, name)
        : putSearchItem(definition, ID, name, key)
    })
    try {
      for (const part of parts(actions))
        await transact(target, [baseCheck(target, tenant, id, item), ...part])
      return true
    } catch (error) {
      if (refusalOf(error)?.kind !== 'condition') throw error
    }
    await patience.clock.sleep(backoffMilliseconds(patience.random, tries), patience.signal)
  }
  return false
}
