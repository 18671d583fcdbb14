import { RecentlyUsedMap } from '../bounded/recently-used-map.js'
import { keyText, type LogicalKey } from '../keys/key.js'
import type { WrittenTable } from './written-table.js'

/** How long after a throttle the old places of a key count as hot. A hot place is throttled many times in this time. */
const HOT_MILLISECONDS = 10_000

/** A process changes few keys at a time. A key that is forgotten is remembered at its next throttle. */
const MAX_KEYS = 1_000

const throttledAt = new WeakMap<WrittenTable['options'], RecentlyUsedMap<string, number>>()

/** Records that a write of the key was throttled. */
export function sourceThrottled({ options, clock }: WrittenTable, key: LogicalKey): void {
  const ofTable = throttledAt.get(options) ?? new RecentlyUsedMap<string, number>(MAX_KEYS)
  throttledAt.set(options, ofTable)
  ofTable.set(keyText(key), clock.now())
}

/** Whether a write of the key was throttled lately in this process. */
export function isHotSource({ options, clock }: WrittenTable, key: LogicalKey): boolean {
  const at = throttledAt.get(options)?.get(keyText(key))
  return at !== undefined && clock.now() - at < HOT_MILLISECONDS
}
