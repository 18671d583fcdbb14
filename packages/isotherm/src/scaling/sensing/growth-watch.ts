import { RecentlyUsedMap } from '../../bounded/recently-used-map.js'
import { keyText, type LogicalKey } from '../../keys/key.js'
import { countChangedAt, isChanging, type ShardState, targetCount } from '../../protocol/index.js'
import type { HeatReport } from './key-heat.js'

/** If the gain is below this share of the expected gain, the new shards share a partition with the old ones. */
const FAIR_SHARE = 0.4

/** A smaller expected gain cannot be distinguished from noise. */
const MIN_EXPECTED_GAIN = 0.1

interface Growth {
  readonly from: number
  readonly to: number
  /** The share of the key's writes in this process that was accepted while the key was throttled, before it grew. */
  readonly acceptedShare: number
  /** When its effect could first be measured; `undefined` for a calculated key whose change has not settled. */
  readonly began: Beginning | undefined
}

/** The moment from which the new shards are fully used. */
interface Beginning {
  /** Identifies the state, by its time in the shard map in seconds since the epoch. */
  readonly changedAt: number
  /** When this process first saw the state, by its clock. */
  readonly seenAt: number
  /** The units counted until then. */
  readonly amounts: Amounts
}

/** Units counted since the same starting point. */
type Amounts = Pick<HeatReport, 'offeredSoFar' | 'acceptedSoFar'>

/**
 * Remembers a key's accepted share before it grew, to detect whether the growth helped.
 *
 * Shards are hashed onto partitions. In a table with four partitions, two shards are on the same partition in a quarter
 * of all cases. Then the key is throttled as before, and waiting for the cooldown would not help.
 */
export class GrowthWatch {
  readonly #growths = new RecentlyUsedMap<string, Growth>(1_000)

  /**
   * Records that the key grew from `shards` to the count of `state`.
   *
   * `throttled` was counted when the throttling began, and `now` when the key grew. The difference excludes the burst
   * capacity of a partition that was idle before.
   *
   * A calculated key's change is only announced at that time. Until it has settled, moves of items use the capacity of
   * the new shards. So the key is measured from the time when its state is first seen as settled.
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
   * Whether the growth to the current count did not help, so that the next change can skip the cooldown.
   * @param state a state without a change in progress
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

/** The accepted share. It is 1 if nothing was offered, or if the key was not followed in between. */
function shareBetween(from: Amounts, to: Amounts): number {
  const offered = to.offeredSoFar - from.offeredSoFar
  return offered > 0 ? Math.min(1, (to.acceptedSoFar - from.acceptedSoFar) / offered) : 1
}
