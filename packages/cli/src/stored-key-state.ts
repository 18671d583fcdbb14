import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { KeyShardsState } from 'isotherm'

/** Where the items of a key are, by its item in the shard map. */
export interface StoredKeyState extends Pick<KeyShardsState, 'shards' | 'readableShards'> {
  /** A phase of the library, or the text that a later version stored. */
  readonly phase: string
  /** The count that it is changing to. */
  readonly to?: number
  /** Seconds since the Unix epoch. */
  readonly lastUpdated: number
}

const HISTORY_ENTRY = /^(\d+):([1-9]\d*)$/

/**
 * Reads the state out of an item of the shard map, as docs/format.md has it. `db.shards(table, key).read()` returns the same, but reads
 * each key again, and needs the options of the table: a list also shows keys of maps without a card, and items that others wrote.
 */
export function storedKeyState(item: Readonly<Record<string, AttributeValue>>): StoredKeyState {
  const shards = Number(item.number_of_shards?.N ?? 1)
  const lastUpdated = Number(item.last_updated?.N ?? 0)
  const stored = item.phase?.S
  const history = historyOf(item)
  const counts = history.map(({ count }) => count)
  // Another writer may have set the count alone.
  if (stored === undefined && counts.at(-1) !== shards) counts.push(shards)
  const from = stored === undefined ? 0 : Number(item.from_shards?.N ?? 0)
  const to = item.to_shards?.N
  return {
    shards,
    readableShards: Math.max(shards, from, ...counts),
    // A random key has no attribute for its phase: its history alone says that shards were given up and are not empty yet.
    phase:
      stored === undefined
        ? hasLoweredCount(counts)
          ? 'retired'
          : 'settled'
        : changingPhase(stored, item, history),
    ...(to === undefined ? {} : { to: Number(to) }),
    lastUpdated,
  }
}

interface Entry {
  readonly at: number
  readonly count: number
}

function historyOf({ shard_history }: Readonly<Record<string, AttributeValue>>): readonly Entry[] {
  const entries = (shard_history?.SS ?? []).flatMap((text) => {
    const [, at, count] = HISTORY_ENTRY.exec(text) ?? []
    return at === undefined ? [] : [{ at: Number(at), count: Number(count) }]
  })
  // A set has no order.
  return entries.sort((one, other) => one.at - other.at)
}

function hasLoweredCount(counts: readonly number[]): boolean {
  return counts.some((count, index) => index > 0 && count < Math.max(...counts.slice(0, index)))
}

/** Earlier versions know only `moved`, so *draining* is stored as that, with the time of the change that it belongs to. */
function changingPhase(
  stored: string,
  { draining_since }: Readonly<Record<string, AttributeValue>>,
  history: readonly Entry[],
): string {
  const isDraining = stored === 'moved' && Number(draining_since?.N) === history.at(-1)?.at
  return isDraining ? 'draining' : stored
}
