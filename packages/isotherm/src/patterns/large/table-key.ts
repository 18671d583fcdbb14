import type { Item } from '@isotherm/semantics'
import type { Sender } from '../sending/pattern-client.js'
import { tableCheck } from '../table-check/table-check.js'
import { requireKeyType } from '../values/require-key-type.js'
import type { ParsedLargeOptions } from './large-options.js'

/**
 * Returns a function that compares an item with the key of its table before the first piece is written, because the table would refuse the item after
 * the last one.
 *
 * @throws IsothermError (the returned function) `table.missing`, `table.differs` or `pattern.value`
 */
export function tableKeyCheck(
  db: Sender,
  { table, keys, clock }: Pick<ParsedLargeOptions, 'table' | 'keys' | 'clock'>,
): (item: Item) => Promise<void> {
  const check = tableCheck(db, { pattern: 'large', table, keys }, clock)
  return async (item) => {
    for (const [attribute, type] of await check()) {
      const value = item[attribute]
      if (value !== undefined) requireKeyType(`large: the key ${attribute}`, value, type, table)
    }
  }
}
