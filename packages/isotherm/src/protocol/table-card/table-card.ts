import { keyText, type LogicalKey } from '../../keys/key.js'
import type { CardOrigin } from './card-origin.js'
import type { CardSettings } from './card-settings.js'

/**
 * What holds for all keys of a table at once, in one item of its shard map. A key that is not listed has the initial count, and
 * nobody reads its item, if it has one. A key is listed before its count changes.
 */
export interface TableCard extends CardOrigin {
  readonly settings: CardSettings
  /** The keys whose count may be another one, by their text. `'all'`: that of any key may. */
  readonly listed: ReadonlySet<string> | 'all'
  /** Grows with every change of the card. */
  readonly version: number
}

/** Whether the key may have another count than the initial one. Then its own item says it. */
export function isListed({ listed }: Pick<TableCard, 'listed'>, key: LogicalKey): boolean {
  return listed === 'all' || listed.has(keyText(key))
}
