import type { Item } from '@isotherm/semantics'
import { requireItemSize } from '../../values/require-item-size.js'
import type { BaseItem } from './base-item.js'
import type { DirectoryDefinition } from './define-directory.js'
import { storedBase } from './stored-base.js'

/**
 * Refuses an item that DynamoDB would refuse for its size. Search items may be written before their item, and then it would be too late.
 *
 * @throws IsothermError `pattern.value`
 */
export function requireFittingItem(definition: DirectoryDefinition, item: BaseItem): void {
  const { importing, ...finished } = item
  // An import writes the item with its mark first, and with the entry in the list last. Names of attributes decide which is larger.
  for (const stored of importing === undefined ? [finished] : [item, finished]) {
    requireItemSize(
      `directory: the item ${item.id} of ${item.tenant}`,
      storedBase(definition, stored) as Item,
      'Shorten its fields, or store large values with isotherm/large',
    )
  }
}
