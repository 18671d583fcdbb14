import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { IsothermError } from '../../errors/isotherm-error.js'
import { type CountChange, later } from './count-change.js'

/**
 * Attribute names of a shard map item. The first three are those of AWS's published design, whose readers work on it; the
 * next three are there while the count of a calculated key changes. The logical key stands beside them.
 *
 * The last one is the name of the write that the item's state comes from. Whoever is refused because the item has changed,
 * recognises by it whether that was the same request, whose answer was lost and which the SDK has sent again. The state
 * itself would not tell: two processes may want the same one in the same second.
 */
export const SHARD_MAP_ATTRIBUTES = {
  numberOfShards: 'number_of_shards',
  lastUpdated: 'last_updated',
  shardHistory: 'shard_history',
  phase: 'phase',
  fromShards: 'from_shards',
  toShards: 'to_shards',
  lastWrite: 'last_write',
} as const

/**
 * What the processes of a fleet leave for each other beside the state. It is written without a lock and decides nothing
 * alone: to lose a part of it costs time only.
 */
export const FLEET_ATTRIBUTES = { heatReports: 'heat_reports', lastBusy: 'last_busy' } as const

/** What the shard map says of one logical key. */
export interface ShardState {
  /** Shards that writers use now. */
  readonly shards: number
  /** Epoch seconds of the last change: the optimistic lock. It grows at every change, even within one second. */
  readonly lastUpdated: number
  /** The last changes, oldest first: `"<epoch>:<count>"`. */
  readonly history: readonly string[]
  /** Of a calculated key, while its count changes. */
  readonly change: CountChange | undefined
  /** As the last read found it. */
  readonly fleet?: FleetSigns
}

interface FleetSigns {
  /** How hot the key is in single processes: `"<epoch>:<process>:<offered>:<accepted>"`, units a second. */
  readonly heatReports: readonly string[]
  /** Epoch seconds when a process last found the key too busy for fewer shards; 0 if none did. */
  readonly lastBusy: number
}

/** Bounds the item. Older entries stay as long as readers need them, about one for each count that was lowered. */
const MAX_HISTORY = 20

/** Shards that may hold items: those in use, and those that once were. */
export function readableShards({ shards, history }: ShardState): number {
  // mark: readers-know-retired-shards
  return history.reduce((most, entry) => Math.max(most, countOf(entry)), shards)
}

/**
 * Counts that were lower than one before them, the highest first. Until what was retired is drained, and history is cut, items may be
 * on their way from above each of them to below it, even if the key has grown again since: what one process has begun to
 * move another may finish at any time.
 */
export function loweredCounts({
  shards,
  history,
}: Pick<ShardState, 'shards' | 'history'>): readonly number[] {
  let highest = 0
  const lowered = [...history.map(countOf), shards].filter((count) => {
    highest = Math.max(highest, count)
    // Also one that grew, but not as far as it was: what is above it is still retired, and drained to below it.
    return count < highest
  })
  return [...new Set(lowered)].sort((a, b) => b - a)
}

/**
 * Epoch seconds from which on a shard of a random key has been in use without a break, as far as the history tells. A shard that
 * was given up and is back has lost what it held to others.
 */
export function inUseSince(shard: number, { history }: ShardState): number {
  // Of what was dropped nothing matters here: a count that was lowered keeps its last entry.
  const first = history[history.findLastIndex((entry) => countOf(entry) < shard) + 1]
  return first === undefined ? Number.POSITIVE_INFINITY : timeOf(first)
}

/** Whether the count was ever changed since the key was first seen. */
export function wasScaled({ history }: ShardState): boolean {
  return history.length > 1
}

/** Epoch seconds of the last change of the count. Later than that, the item may only have been renewed. */
export function countChangedAt({ history, lastUpdated }: ShardState): number {
  const last = history.at(-1)
  return last === undefined ? lastUpdated : timeOf(last)
}

/** Milliseconds for which nobody has found the key busy, nor changed its count. */
export function silenceOf(state: ShardState, now: number): number {
  return now - Math.max(countChangedAt(state), state.fleet?.lastBusy ?? 0) * 1_000
}

/**
 * How many of the last changes came, one after another, without the cooldown between. The first of a key waits for nothing. A
 * calculated key's change has two entries of one count, its announcement and its end, and the next one waits from its end.
 */
export function hurriedChanges({ history }: ShardState, cooldownSeconds: number): number {
  const entries = history.map((entry) => ({ time: timeOf(entry), count: countOf(entry) }))
  const waits = entries.flatMap(({ time, count }, index) => {
    const before = entries[index - 1]
    return before === undefined || before.count === count ? [] : [time - before.time]
  })
  const unhurried = waits.slice(1).findLastIndex((seconds) => seconds >= cooldownSeconds)
  return Math.max(0, waits.length - 2 - unhurried)
}

/** The state of a key that is seen for the first time. */
export function firstState(shards: number, epochSeconds: number): ShardState {
  return { shards, lastUpdated: epochSeconds, history: [`${epochSeconds}:${shards}`], change: undefined }
}

/** The state after a change of a random key's count, which needs no phases: queries go on asking what history tells. */
export function changedState(from: ShardState, shards: number, epochSeconds: number): ShardState {
  const lastUpdated = later(from, epochSeconds)
  return {
    shards,
    lastUpdated,
    history: boundedHistory([...from.history, `${lastUpdated}:${shards}`]),
    change: undefined,
  }
}

/** The attributes of a state, without the key. */
export function toAttributes({
  shards,
  lastUpdated,
  history,
  change,
}: ShardState): Record<string, AttributeValue> {
  return {
    [SHARD_MAP_ATTRIBUTES.numberOfShards]: { N: String(shards) },
    [SHARD_MAP_ATTRIBUTES.lastUpdated]: { N: String(lastUpdated) },
    [SHARD_MAP_ATTRIBUTES.shardHistory]: { SS: [...history] },
    ...(change === undefined
      ? {}
      : {
          [SHARD_MAP_ATTRIBUTES.phase]: { S: change.phase },
          [SHARD_MAP_ATTRIBUTES.fromShards]: { N: String(change.from) },
          [SHARD_MAP_ATTRIBUTES.toShards]: { N: String(change.to) },
        }),
  }
}

/**
 * Reads an item of the shard map. A history that does not tell of the count, as another writer may leave it, gets the count: else
 * the shards that hold everything would be forgotten as soon as there are fewer, and nobody would know that some were given up.
 * @throws IsothermError `shard-map.malformed`
 */
export function fromAttributes(shardMap: string, item: Record<string, AttributeValue>): ShardState {
  const shards = readNumber(shardMap, item, SHARD_MAP_ATTRIBUTES.numberOfShards, 1)
  const lastUpdated = readNumber(shardMap, item, SHARD_MAP_ATTRIBUTES.lastUpdated, 0)
  const change = readChange(shardMap, item)
  const history = (item[SHARD_MAP_ATTRIBUTES.shardHistory]?.SS ?? [])
    .filter((entry) => HISTORY_ENTRY.test(entry))
    .sort((a, b) => timeOf(a) - timeOf(b))
  const last = history.at(-1)
  const isTold =
    change === undefined
      ? last !== undefined && countOf(last) === shards
      : history.some((entry) => countOf(entry) >= shards)
  // Later than the last one, also where people have changed the count alone.
  const told = `${Math.max(lastUpdated, last === undefined ? 0 : timeOf(last) + 1)}:${shards}`
  return {
    shards,
    lastUpdated,
    history: isTold ? history : [...history, told],
    change,
    ...readFleet(item),
  }
}

function readFleet(item: Record<string, AttributeValue>): Pick<ShardState, 'fleet'> {
  const heatReports = item[FLEET_ATTRIBUTES.heatReports]?.SS ?? []
  const lastBusy = Number(item[FLEET_ATTRIBUTES.lastBusy]?.N ?? 0)
  return heatReports.length === 0 && lastBusy === 0 ? {} : { fleet: { heatReports, lastBusy } }
}

const HISTORY_ENTRY = /^\d+:[1-9]\d*$/

function readChange(shardMap: string, item: Record<string, AttributeValue>): CountChange | undefined {
  const value = item[SHARD_MAP_ATTRIBUTES.phase]
  if (value === undefined) return undefined
  const phase = value.S
  if (phase !== 'announced' && phase !== 'moved') {
    throw malformed(shardMap, SHARD_MAP_ATTRIBUTES.phase, value, "'announced' or 'moved'")
  }
  return {
    phase,
    from: readNumber(shardMap, item, SHARD_MAP_ATTRIBUTES.fromShards, 1),
    to: readNumber(shardMap, item, SHARD_MAP_ATTRIBUTES.toShards, 1),
  }
}

function readNumber(
  shardMap: string,
  item: Record<string, AttributeValue>,
  attribute: string,
  from: number,
): number {
  const text = item[attribute]?.N
  const value = Number(text)
  if (text !== undefined && Number.isInteger(value) && value >= from) return value
  throw malformed(shardMap, attribute, item[attribute], `a whole number from ${from} up`)
}

function malformed(
  shardMap: string,
  attribute: string,
  value: AttributeValue | undefined,
  rule: string,
): IsothermError<'shard-map.malformed'> {
  return new IsothermError(
    'shard-map.malformed',
    `An item of the shard map ${shardMap} has ${attribute} ${JSON.stringify(value)}; it must be ${rule}. Correct the item.`,
    { shardMap, attribute, value },
  )
}

/** The last entries, and of those before them what readers need. The oldest is dropped first, so a count keeps its last entry. */
export function boundedHistory(history: readonly string[]): readonly string[] {
  return history.slice(0, -MAX_HISTORY).reduce((kept, entry) => {
    const others = kept.filter((other) => other !== entry)
    return bordersOf(others) === bordersOf(kept) ? others : kept
  }, history)
}

/** How far readers must look, and in which stages. */
function bordersOf(history: readonly string[]): string {
  const shards = Math.max(...history.map(countOf))
  return `${[shards, ...loweredCounts({ shards, history })]}`
}

function timeOf(entry: string): number {
  return Number(entry.slice(0, entry.indexOf(':')))
}

function countOf(entry: string): number {
  return Number(entry.slice(entry.indexOf(':') + 1))
}
