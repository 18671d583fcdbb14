import type { Clock, Random } from '@isotherm/runtime'
import { RecentlyUsedMap } from '../bounded/recently-used-map.js'
import { keyText, type LogicalKey } from '../keys/key.js'
import {
  countChangedAt,
  isChanging,
  NO_HEAT,
  type ShardMap,
  type ShardState,
  wasScaled,
} from '../protocol/index.js'
import type { GrowthDecision } from './growth-decision.js'
import type { KeyThrottle } from './key-counts.js'
import { KeyFlights } from './key-flights.js'
import type { ScalingOptions } from './scaling-options.js'
import type { KeyHeat } from './sensing/key-heat.js'
import { SAMPLES_PER_SECOND, ThrottledKey, unitsPerSample } from './sensing/throttled-key.js'

/** The maximum number of keys that this process reports, or decides about, concurrently. Others wait for their next throttle. */
const MAX_FLIGHTS = 64

/** The keys whose throttles this process remembers. */
const MAX_THROTTLED_KEYS = 1_000

/**
 * How long evidence is ignored after this process has learnt of a change. Until the other processes have learnt of it, too, the
 * old shards are as hot as before.
 */
const SETTLING_MILLISECONDS = 6_000

/** Before a process knows how much is throttled, its first samples may be too many. */
const REPORT_MILLISECONDS = 100

/** A shard map that may not be written is left alone for a while, and the event of it is not repeated at once. */
const FAILED_REPORT_MILLISECONDS = 10_000

/** A throttled process soon reads whether the key has more shards by now, and less often each time that it does not. */
const FIRST_REFRESH_MILLISECONDS = 2_000
const SOON_REFRESHES = 4

/** The reads per second that the throttles of a whole fleet cause. One partition of the shard map takes 3,000. */
const REFRESHES_PER_SECOND = 1_000

export interface ScalerOptions {
  readonly shards: ScalingOptions
  readonly shardMap: ShardMap
  readonly cacheMilliseconds: number
  readonly decision: Pick<GrowthDecision, 'decide'>
  readonly heat: Pick<KeyHeat, 'report' | 'reset' | 'hottestThrottledUnits'>
  readonly clock: Clock
  readonly random: Random
  /** Stops the waits when the client is destroyed. */
  readonly signal: AbortSignal
  readonly onFailed: (error: unknown) => void
}

/**
 * Reacts to the throttles of a key: it adds samples of them to the totals that the whole fleet keeps in the shard map, decides on
 * more shards, and reads the shard map again, because another process may have added some.
 */
export class Scaler {
  readonly #options: ScalerOptions
  readonly #reports: KeyFlights
  readonly #decisions: KeyFlights
  readonly #keys = new RecentlyUsedMap<string, ThrottledKey>(MAX_THROTTLED_KEYS)

  constructor(options: ScalerOptions) {
    this.#options = options
    this.#reports = new KeyFlights({ ...options, max: MAX_FLIGHTS })
    this.#decisions = new KeyFlights({ ...options, max: MAX_FLIGHTS })
  }

  /** Handles a throttle of the key by its partition. It is cheap unless a sample is due, and never throws. */
  consider(key: LogicalKey, { units, attempt, item, scope }: KeyThrottle): void {
    const { shards, shardMap, heat, clock, random } = this.#options
    const text = keyText(key)
    const state = shardMap.peek(key)
    const own = heat.report(key)
    if (state === undefined || own === undefined) return
    const now = clock.now()
    const throttled = this.#follow(key, text, state)
    const { partitionUnitsPerSecond } = shards
    const sampleUnits = unitsPerSample(own, units, { shards: state.shards, partitionUnitsPerSecond })
    this.#refresh(key, throttled, sampleUnits / units)
    // Each write counts once. Otherwise a key with one shard, which is throttled at every retry, would seem hotter than a key with
    // many shards. A key has one change at a time, and with a calculated suffix a change takes a while.
    if (attempt !== 1 || isChanging(state)) return
    // mark: hot-key-grows
    if (wasScaled(state) && !this.#isCooledDown(state, throttled)) {
      throttled.settling(own, now)
      return
    }
    throttled.throttled({ units, item, unitsPerSample: sampleUnits }, own, now)
    if (now < throttled.reportedAt + REPORT_MILLISECONDS || !this.#reports.mayBegin(text)) return
    const samples = throttled.takeSamples()
    if (samples === undefined) return
    throttled.reportedAt = now
    this.#reports.begin(text, async () => {
      const reported = await shardMap.report(key, state, samples).catch((error: unknown) => {
        const pause = throttled.reportPauses.after(error, random, FAILED_REPORT_MILLISECONDS)
        throttled.reportedAt = clock.now() + pause
        throw error
      })
      throttled.reportPauses.succeeded()
      if (reported === undefined || !throttled.isOf(reported) || clock.now() < throttled.leftAloneUntil)
        return
      const before = { heat: reported.fleet?.heat ?? NO_HEAT, at: clock.now() }
      this.#decisions.begin(text, () => this.#options.decision.decide({ key, throttled, scope, before }))
    })
  }

  /**
   * Whether the last change has taken effect, and its cooldown is over: by a calendar, or by the time since this process has known the
   * count. So a calendar that is wrong delays no key for longer than a cooldown.
   */
  #isCooledDown(state: ShardState, { learntAt }: ThrottledKey): boolean {
    const now = this.#options.clock.now()
    const { cooldownMilliseconds } = this.#options.shards
    const changedAt = Math.min(learntAt, countChangedAt(state) * 1_000)
    // mark: count-has-a-cooldown
    return now >= learntAt + SETTLING_MILLISECONDS && now >= changedAt + cooldownMilliseconds
  }

  /** What is known of the key's throttles under its count. Evidence of another count proves nothing. */
  #follow(key: LogicalKey, text: string, state: ShardState): ThrottledKey {
    const known = this.#keys.get(text)
    if (known?.isOf(state) === true) return known
    const { heat, shardMap, clock, random, cacheMilliseconds } = this.#options
    if (known !== undefined) heat.reset(key)
    const refreshAfter = Math.min(FIRST_REFRESH_MILLISECONDS, cacheMilliseconds / 2)
    const knownSince = shardMap.countSince(key) ?? clock.now()
    // A process that was never throttled under another count may have begun long after the change. It may not even live for as long as
    // the change takes to settle.
    const learntAt = known === undefined ? Math.min(knownSince, countChangedAt(state) * 1_000) : knownSince
    const throttled = new ThrottledKey(state, learntAt, random, refreshAfter)
    this.#keys.set(text, throttled)
    return throttled
  }

  /** @param writesPerSample how many throttled writes of the fleet there are for each sample that it reports */
  #refresh(key: LogicalKey, throttled: ThrottledKey, writesPerSample: number): void {
    const { shardMap, clock, random, cacheMilliseconds } = this.#options
    if (random.next() * writesPerSample * SAMPLES_PER_SECOND > REFRESHES_PER_SECOND) return
    // The age of the view does not show how long ago a read failed.
    const now = clock.now()
    if (now < throttled.refreshedAt + throttled.refreshAfter) return
    if (!shardMap.refreshIfOlder(key, throttled.refreshAfter)) return
    throttled.refreshedAt = now
    throttled.refreshes += 1
    if (throttled.refreshes < SOON_REFRESHES) return
    throttled.refreshAfter = Math.min(2 * throttled.refreshAfter, cacheMilliseconds / 2)
  }
}
