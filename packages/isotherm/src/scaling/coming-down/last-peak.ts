import {
  countChangedAt,
  FLEET_ATTRIBUTES,
  type FleetUpdate,
  historyEntry,
  type ShardState,
} from '../../protocol/index.js'

/** After each of these times, half of the remembered count is forgotten. */
const HALF_LIFE_SECONDS = 7 * 86_400

/**
 * The count that the last peak of the key needed, as far as it counts still; 1 if none is remembered. A key that is hot again
 * gets it in one step, instead of growing from its present count once more.
 */
export function rememberedCount({ fleet }: ShardState, epochSeconds: number): number {
  if (fleet?.lastPeak === undefined) return 1
  const { shards, at } = fleet.lastPeak
  const age = Math.max(0, epochSeconds - at)
  return Math.max(1, Math.floor(shards / 2 ** Math.floor(age / HALF_LIFE_SECONDS)))
}

/**
 * Remembers the count of a key that loses shards. A count that came from the memory is not remembered again: otherwise a peak
 * would be remembered for ever by smaller ones.
 */
export function memoryOfPeak(state: ShardState): FleetUpdate | undefined {
  // What was remembered when the key grew, and not what is left of that now.
  if (state.shards <= rememberedCount(state, countChangedAt(state))) return undefined
  const at = Math.max(countChangedAt(state), state.fleet?.lastBusy ?? 0)
  return {
    update: 'SET #peak = :peak',
    names: { '#peak': FLEET_ATTRIBUTES.lastPeak },
    values: { ':peak': { S: historyEntry(at, state.shards) } },
  }
}
