import { RecentlyUsedMap } from '../bounded/recently-used-map.js'
import { keyText, type LogicalKey } from '../keys/key.js'
import type { HeatReport } from '../sensing/key-heat.js'
import { countChangedAt, type ShardState } from '../shard-map/shard-state.js'

/** Less than this share of the gain that was to be expected means that the new shards share a partition with the old ones. */
const FAIR_SHARE = 0.4

/** A growth that would hardly show cannot be told from noise. */
const MIN_EXPECTED_GAIN = 0.1

interface Growth {
  readonly factor: number
  /** Which change this is about: seconds since the epoch, as in the shard map. */
  readonly changedAt: number
  /** When this process learnt of it, by its clock. */
  readonly seenAt: number
  /** Share of the key's writes that this process got through while it was throttled before. */
  readonly acceptedShare: number
  /** What was counted until then. */
  readonly from: Amounts
}

/** Units counted since some moment, the same in all. */
type Amounts = Pick<HeatReport, 'offeredSoFar' | 'acceptedSoFar'>

/**
 * Remembers how a key did before it grew, to tell whether that helped.
 *
 * Shards are hashed onto partitions. Two shards of a table with four partitions are on the same one in a quarter of all
 * cases, and then the key is throttled as before. To wait for the cooldown would help nobody.
 */
export class GrowthWatch {
  readonly #growths = new RecentlyUsedMap<string, Growth>(1_000)

  /**
   * The key grew from so many shards to `state`. `throttled` was counted when it began to be throttled, `now` at its growth:
   * between them is what it got through without the burst that a partition has that was idle.
   */
  grew(
    key: LogicalKey,
    shards: number,
    state: ShardState,
    { throttled, now, at }: { readonly throttled: Amounts; readonly now: Amounts; readonly at: number },
  ): void {
    this.#growths.set(keyText(key), {
      factor: state.shards / shards,
      changedAt: countChangedAt(state),
      seenAt: at,
      acceptedShare: shareBetween(throttled, now),
      from: now,
    })
  }

  /** Whether the count that the state tells did not help, and another step may be made at once. */
  collided(key: LogicalKey, state: ShardState, heat: HeatReport, at: number): boolean {
    const growth = this.#growths.peek(keyText(key))
    if (growth === undefined || growth.changedAt !== countChangedAt(state)) return false
    if (at - growth.seenAt < heat.windowSeconds * 1_000) return false
    const expectedGain = Math.min(1, growth.acceptedShare * growth.factor) - growth.acceptedShare
    if (expectedGain < MIN_EXPECTED_GAIN) return false
    return shareBetween(growth.from, heat) < growth.acceptedShare + FAIR_SHARE * expectedGain
  }
}

/** The share that was accepted; all of it where nothing was offered, or where the key was lost from sight meanwhile. */
function shareBetween(from: Amounts, to: Amounts): number {
  const offered = to.offeredSoFar - from.offeredSoFar
  return offered > 0 ? Math.min(1, (to.acceptedSoFar - from.acceptedSoFar) / offered) : 1
}
