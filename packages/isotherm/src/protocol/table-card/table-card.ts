import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { keyText, type LogicalKey } from '../../keys/key.js'
import type { ShardState } from '../states/shard-state.js'
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
  /** The state of every key without a count of its own. It changes only when the table is migrated. */
  readonly initial: ShardState
  /** The initial counts that a process may have in its options: one, and after a migration also those before it. */
  readonly acceptedInitials: ReadonlySet<string>
  /** `undefined` if the initial state is not being changed. */
  readonly migration: Migration | undefined
  /** Grows with every change of the card. */
  readonly version: number
}

/** A change of the initial state. */
export interface Migration {
  /** The initial count that it ends with. */
  readonly to: number
  /** The physical key of the last item that the pass over the table has dealt with, if the pass has begun. */
  readonly position?: Readonly<Record<string, AttributeValue>> | undefined
}

/** Whether the key may have another count than the initial one. Then its own item says it. */
export function isListed({ listed }: Pick<TableCard, 'listed'>, key: LogicalKey): boolean {
  return listed === 'all' || listed.has(keyText(key))
}
