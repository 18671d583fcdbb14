import type { Item } from '@isotherm/semantics'
import { requireItemSize } from '../../values/require-item-size.js'
import { IMPORTING } from './attribute-names.js'
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
  const stored = storedBase(definition, finished)
  // An import writes the mark first, and the entry in the list last. Both must fit.
  const largest = importing === undefined ? stored : { ...stored, [IMPORTING]: { S: importing } }
  requireItemSize(
    `directory: the item ${item.id} of ${item.tenant}`,
    largest as Item,
    'Shorten its fields, or store large values with isotherm/large',
  )
}
