import type { Item } from '@isotherm/semantics'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { ParsedLargeOptions } from './large-options.js'
import { isStandIn, MARK } from './stored-attribute.js'

/**
 * Refuses attributes that an application must not write: a stand-in is read with the reference of its own item only.
 *
 * @throws IsothermError `large.reserved`
 */
export function requireUnreserved(item: Item, { table }: ParsedLargeOptions): void {
  for (const [attribute, value] of Object.entries(item)) {
    if (attribute !== MARK && !isStandIn(value)) continue
    throw new IsothermError(
      'large.reserved',
      `The attribute ${attribute} of an item for ${table} is named ${MARK} or is a map with a member of this name, which isotherm/large keeps for itself. Rename it; to write back an item that another command has read, read it with get() or restore() first.`,
      { table, attribute },
    )
  }
}
