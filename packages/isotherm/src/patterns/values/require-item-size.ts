import { type Item, itemBytes, MAX_ITEM_BYTES } from '@isotherm/semantics'
import { unfitValue } from './unfit-value.js'

/**
 * Refuses an item that no table takes.
 *
 * @param cure a sentence
 * @throws IsothermError `pattern.value`
 */
export function requireItemSize(place: string, item: Item, cure: string): void {
  const bytes = itemBytes(item)
  if (bytes <= MAX_ITEM_BYTES) return
  throw unfitValue(place, item, `of ${bytes} bytes`, `at most ${MAX_ITEM_BYTES} bytes. ${cure}`)
}
