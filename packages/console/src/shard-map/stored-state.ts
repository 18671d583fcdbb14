import type { StoredAttributes } from './stored-attributes.js'

/** A count, and since when it holds, in milliseconds since the epoch. */
export interface CountEntry {
  readonly at: number
  readonly count: number
}

/** The state of a logical key, or the initial state of all others. */
export interface StoredState {
  readonly shards: number
  /** The count that it is on its way to. */
  readonly to?: number
  /** How far a change of the count is. `settled` is none. */
  readonly phase: string
  /** The counts that there have been, the oldest first. */
  readonly counts: readonly CountEntry[]
}

/** What processes left in the state of a key about the reasons of its changes. Each has the latest of its kind only. */
export interface StoredReasons {
  /** The last growth because of heat, with the units a second before it. */
  readonly growth?: {
    readonly from: number
    readonly to: number
    readonly acceptedPerSecond: number
    readonly throttledPerSecond: number
  }
  /** The count before the last removal of shards that were not needed. */
  readonly peak?: number
}

const ENTRY = /^(\d+):([1-9]\d*)$/
const GROWTH = /^\d+(:\d+){4}$/

/** Items that an application wrote itself need not have all members. */
export function storedState(item: StoredAttributes): StoredState {
  const { number_of_shards, to_shards, shard_history } = item
  const shards = Number(number_of_shards?.N ?? 1)
  const counts = (shard_history?.SS ?? []).flatMap(countOf).sort((a, b) => a.at - b.at)
  return {
    shards,
    phase: phaseOf(item, shards, counts),
    ...(to_shards?.N === undefined ? {} : { to: Number(to_shards.N) }),
    counts,
  }
}

function phaseOf(
  { phase, draining_since }: StoredAttributes,
  shards: number,
  counts: readonly CountEntry[],
): string {
  // Earlier versions know only `moved`, so *draining* is stored as that, with the time of the change that it belongs to.
  if (phase?.S === 'moved' && Number(draining_since?.N) * 1_000 === counts.at(-1)?.at) return 'draining'
  if (phase?.S !== undefined) return phase.S
  // A random key has no attribute for its phase: its history alone says that shards were given up and are not empty yet. Another writer
  // may have set the count alone.
  let most = 0
  for (const count of [...counts.map((entry) => entry.count), shards]) {
    if (count < most) return 'retired'
    most = count
  }
  return 'settled'
}

export function storedReasons({ last_growth, last_peak }: StoredAttributes): StoredReasons {
  const text = last_growth?.S ?? ''
  const [from = 0, to = 0, acceptedPerSecond = 0, throttledPerSecond = 0] = text.split(':').map(Number)
  const [peak] = countOf(last_peak?.S ?? '')
  return {
    ...(GROWTH.test(text) ? { growth: { from, to, acceptedPerSecond, throttledPerSecond } } : {}),
    ...(peak === undefined ? {} : { peak: peak.count }),
  }
}

/** The highest shard that may have items: that of any count there was or will be. */
export function readableShards({ shards, to = 0, counts }: StoredState): number {
  return Math.max(shards, to, ...counts.map(({ count }) => count))
}

function countOf(entry: string): readonly CountEntry[] {
  const [, seconds, count] = ENTRY.exec(entry) ?? []
  return seconds === undefined ? [] : [{ at: Number(seconds) * 1_000, count: Number(count) }]
}
