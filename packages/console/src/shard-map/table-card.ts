import type { SuffixRule } from './physical-key.js'
import type { StoredAttributes } from './stored-attributes.js'
import { type StoredState, storedState } from './stored-state.js'

/** The item of a shard map that belongs to the whole table. */
export interface StoredCard {
  /** The options of the table, by their names. */
  readonly settings: Readonly<Record<string, string>>
  /** The state of all keys that have none of their own. */
  readonly initial: StoredState
  /** The count to which the initial state is being changed. */
  readonly migratingTo?: number
  /** The number of keys whose count may not be the initial one, or all keys. */
  readonly listed: number | 'all'
  /** Grows by 1 with each write. */
  readonly version: number
  /** In milliseconds since the epoch. Cards of early versions lack it. */
  readonly made?: number
  readonly isRebuilt: boolean
  /** Whether the shard map is being rebuilt, so that nothing of it may be used. */
  readonly isRebuilding: boolean
}

export function storedCard(item: StoredAttributes): StoredCard {
  const settings = Object.entries(item.settings?.M ?? {}).map(([name, value]) => [name, value?.S ?? ''])
  const { initial: first, ...others } = Object.fromEntries(settings) as Record<string, string>
  // A card has a state of its own only after its initial count was changed.
  const initial = item.number_of_shards === undefined ? Number(first ?? 1) : undefined
  const migratingTo = Number(item.migrating_to?.N)
  const made = Number(item.made?.S?.split(':', 1)[0])
  return {
    settings: others,
    initial: initial === undefined ? storedState(item) : { shards: initial, phase: 'settled', counts: [] },
    ...(migratingTo > 0 ? { migratingTo } : {}),
    listed: item.lists_all?.BOOL === true ? 'all' : keysOf(item),
    version: Number(item.version?.N ?? 0),
    ...(made > 0 ? { made } : {}),
    isRebuilt: item.rebuilt?.BOOL === true,
    isRebuilding: item.rebuilding !== undefined,
  }
}

/** How the keys of a table with this card are made. */
export function suffixRuleOf({ settings }: StoredCard): SuffixRule {
  return { delimiter: settings.delimiter ?? '_', adopts: settings.adopt === 'true' }
}

/** A set of text, or of bytes. */
function keysOf({ listed_keys: keys }: StoredAttributes): number {
  const bytes = (keys as { readonly BS?: readonly unknown[] } | undefined)?.BS
  return keys?.SS?.length ?? bytes?.length ?? 0
}
