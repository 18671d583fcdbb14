import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { IsothermError } from '../../errors/isotherm-error.js'
import {
  type FleetSigns,
  ITEM_HASHES,
  type LastPeak,
  parseGrowth,
  type QuietReads,
} from '../states/fleet-signs.js'
import { countOf, historyEntry, timeOf } from '../states/history.js'
import { countChangedAt } from '../states/pace.js'
import { atRest, isChanging, type ShardState } from '../states/shard-state.js'
import { FLEET_ATTRIBUTES, heatOfItems, SHARD_MAP_ATTRIBUTES } from './shard-map-attributes.js'

type Attributes = Readonly<Record<string, AttributeValue>>

/** The attributes of a state, without the key. */
export function toAttributes(state: ShardState): Record<string, AttributeValue> {
  return {
    [SHARD_MAP_ATTRIBUTES.numberOfShards]: { N: String(state.shards) },
    [SHARD_MAP_ATTRIBUTES.lastUpdated]: { N: String(state.lastUpdated) },
    [SHARD_MAP_ATTRIBUTES.shardHistory]: { SS: [...state.history] },
    ...(state.initialAsOf === undefined
      ? {}
      : { [SHARD_MAP_ATTRIBUTES.initialAsOf]: { N: String(state.initialAsOf) } }),
    ...(isChanging(state)
      ? {
          [SHARD_MAP_ATTRIBUTES.phase]: { S: state.phase === 'announced' ? state.phase : 'moved' },
          [SHARD_MAP_ATTRIBUTES.fromShards]: { N: String(state.from) },
          [SHARD_MAP_ATTRIBUTES.toShards]: { N: String(state.to) },
          ...(state.phase === 'draining'
            ? { [SHARD_MAP_ATTRIBUTES.drainingSince]: { N: String(countChangedAt(state)) } }
            : {}),
        }
      : {}),
  }
}

const HISTORY_ENTRY = /^\d+:[1-9]\d*$/

/** The signs of the fleet that processes share through a cache, as attributes. Heat reports are too short-lived for that. */
export function toFleetAttributes({ fleet }: ShardState): Record<string, AttributeValue> {
  const attributes: Record<string, AttributeValue> = {
    [FLEET_ATTRIBUTES.lastBusy]: { N: String(fleet?.lastBusy ?? 0) },
  }
  if (fleet?.quietReads !== undefined) {
    const { units, since, weighed } = fleet.quietReads
    attributes[FLEET_ATTRIBUTES.quietReads] = { N: String(units) }
    attributes[FLEET_ATTRIBUTES.quietSince] = { N: String(since) }
    attributes[FLEET_ATTRIBUTES.quietWeighed] = { N: String(weighed) }
  }
  if (fleet?.lastPeak !== undefined) {
    const { at, shards } = fleet.lastPeak
    attributes[FLEET_ATTRIBUTES.lastPeak] = { S: historyEntry(at, shards) }
  }
  return attributes
}

/**
 * Reads an item of the shard map. If another writer left a history without the current count, the count is added to the history.
 * Otherwise the next lower count would hide the shards that hold all items.
 * @throws IsothermError `shard-map.malformed`
 */
export function fromAttributes(shardMap: string, item: Attributes): ShardState {
  const malformed = (attribute: string, rule: string) => {
    const value = item[attribute]
    return new IsothermError(
      'shard-map.malformed',
      `An item of the shard map ${shardMap} has ${attribute} ${JSON.stringify(value)}; it must be ${rule}. Correct the item.`,
      { shardMap, attribute, value },
    )
  }
  const number = (attribute: string, from: number) => {
    const text = item[attribute]?.N
    const value = Number(text)
    if (text !== undefined && Number.isInteger(value) && value >= from) return value
    throw malformed(attribute, `a whole number from ${from} up`)
  }
  const shards = number(SHARD_MAP_ATTRIBUTES.numberOfShards, 1)
  const lastUpdated = number(SHARD_MAP_ATTRIBUTES.lastUpdated, 0)
  const history = (item[SHARD_MAP_ATTRIBUTES.shardHistory]?.SS ?? [])
    .filter((entry) => HISTORY_ENTRY.test(entry))
    .sort((a, b) => timeOf(a) - timeOf(b))
  const changing = item[SHARD_MAP_ATTRIBUTES.phase]
  const last = history.at(-1) ?? '-1:0'
  const isComplete =
    changing === undefined ? countOf(last) === shards : history.some((entry) => countOf(entry) >= shards)
  // The new entry is later than the last one, even if somebody changed only the count by hand.
  if (!isComplete) history.push(historyEntry(Math.max(lastUpdated, timeOf(last) + 1), shards))
  const initialAsOf =
    item[SHARD_MAP_ATTRIBUTES.initialAsOf] === undefined
      ? {}
      : { initialAsOf: number(SHARD_MAP_ATTRIBUTES.initialAsOf, 0) }
  const count = { shards, lastUpdated, history, ...initialAsOf, ...readFleet(item) }
  if (changing === undefined) return atRest(count)
  const phase = changing.S
  if (phase !== 'announced' && phase !== 'moved')
    throw malformed(SHARD_MAP_ATTRIBUTES.phase, "'announced' or 'moved'")
  const changedAt = countChangedAt(count)
  const isDraining = Number(item[SHARD_MAP_ATTRIBUTES.drainingSince]?.N) === changedAt
  return {
    ...count,
    phase: phase === 'moved' && isDraining ? 'draining' : phase,
    from: number(SHARD_MAP_ATTRIBUTES.fromShards, 1),
    to: number(SHARD_MAP_ATTRIBUTES.toShards, 1),
  }
}

function readFleet(item: Attributes): { readonly fleet?: FleetSigns } {
  const lastBusy = readNumber(item, FLEET_ATTRIBUTES.lastBusy)
  const quietReads = readQuietReads(item)
  const lastPeak = readLastPeak(item)
  const samples = readNumber(item, FLEET_ATTRIBUTES.heatSamples)
  const lastGrowth = parseGrowth(item[FLEET_ATTRIBUTES.lastGrowth]?.S ?? '')
  if (![lastBusy, samples].some(Boolean) && (quietReads ?? lastPeak ?? lastGrowth) === undefined) return {}
  const heat = {
    offeredUnits: readNumber(item, FLEET_ATTRIBUTES.heatOffered),
    acceptedUnits: readNumber(item, FLEET_ATTRIBUTES.heatAccepted),
    throttledUnits: Array.from({ length: ITEM_HASHES }, (_, hash) => readNumber(item, heatOfItems(hash))),
    samples,
  }
  return {
    fleet: {
      lastBusy,
      heat,
      lastGrowth,
      ...(quietReads === undefined ? {} : { quietReads }),
      ...(lastPeak === undefined ? {} : { lastPeak }),
    },
  }
}

function readQuietReads(item: Attributes): QuietReads | undefined {
  const since = readNumber(item, FLEET_ATTRIBUTES.quietSince)
  if (since === 0) return undefined
  const units = readNumber(item, FLEET_ATTRIBUTES.quietReads)
  return { units, since, weighed: readNumber(item, FLEET_ATTRIBUTES.quietWeighed) }
}

function readLastPeak(item: Attributes): LastPeak | undefined {
  const entry = item[FLEET_ATTRIBUTES.lastPeak]?.S ?? ''
  return HISTORY_ENTRY.test(entry) ? { shards: countOf(entry), at: timeOf(entry) } : undefined
}

/** A value that no process writes counts as missing, because no change depends on these attributes alone. */
function readNumber(item: Attributes, attribute: string): number {
  const value = Number(item[attribute]?.N ?? 0)
  return value > 0 && Number.isFinite(value) ? value : 0
}
