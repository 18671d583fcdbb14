import { RecentlyUsedMap } from '../../bounded/recently-used-map.js'
import { keyText, type LogicalKey } from '../../keys/key.js'
import { countChangedAt, isChanging, type ShardState, targetCount } from '../../protocol/index.js'
import type { HeatReport } from './key-heat.js'

/** Less than this share of the gain that was to be expected means that the new shards share a partition with the old ones. */
const FAIR_SHARE = 0.4

/** A growth that would hardly show cannot be told from noise. */
const MIN_EXPECTED_GAIN = 0.1

interface Growth {
  readonly from: number
  readonly to: number
  /** Share of the key's writes that this process got through while it was throttled before. */
  readonly acceptedShare: number
  /** Since when it has shown; `undefined` for a calculated key whose change has not settled. */
  readonly began: Beginning | undefined
}

/** From when on the new shards are used in full. */
interface Beginning {
  /** Which state this is about: seconds since the epoch, as in the shard map. */
  readonly changedAt: number
  /** When this process learnt of it, by its clock. */
  readonly seenAt: number
  /** What was counted until then. */
  readonly amounts: Amounts
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
   *
   * A calculated key's change is only announced then. Until it has settled its new shards are filled by items that were moved
   * and do not show what they can take; it is watched from when it is first seen settled.
   */
  grew(
    key: LogicalKey,
    shards: number,
    state: ShardState,
    { throttled, now, at }: { readonly throttled: Amounts; readonly now: Amounts; readonly at: number },
  ): void {
    this.#growths.set(keyText(key), {
      from: shards,
      to: targetCount(state),
      acceptedShare: shareBetween(throttled, now),
      began: isChanging(state) ? undefined : beginning(state, now, at),
    })
  }

  /**
   * Whether the count that the state tells did not help, and another step may be made at once.
   * @param state without a change under way
   */
  collided(key: LogicalKey, state: ShardState, heat: HeatReport, at: number): boolean {
    const growth = this.#growths.peek(keyText(key))
    if (growth === undefined || growth.to !== state.shards) return false
    const { from, to, acceptedShare, began } = growth
    if (began === undefined) {
      this.#growths.set(keyText(key), { ...growth, began: beginning(state, heat, at) })
      return false
    }
    if (began.changedAt !== countChangedAt(state)) return false
    if (at - began.seenAt < heat.windowSeconds * 1_000) return false
    const expectedGain = Math.min(1, (acceptedShare * to) / from) - acceptedShare
    if (expectedGain < MIN_EXPECTED_GAIN) return false
    return shareBetween(began.amounts, heat) < acceptedShare + FAIR_SHARE * expectedGain
  }
}

function beginning(state: ShardState, amounts: Amounts, seenAt: number): Beginning {
  return { changedAt: countChangedAt(state), seenAt, amounts }
}

/** The share that was accepted; all of it where nothing was offered, or where the key was lost from sight meanwhile. */
function shareBetween(from: Amounts, to: Amounts): number {
  const offered = to.offeredSoFar - from.offeredSoFar
  return offered > 0 ? Math.min(1, (to.acceptedSoFar - from.acceptedSoFar) / offered) : 1
}
