import type { Random } from '@isotherm/runtime'
import type { KeyValue } from '@isotherm/semantics'
import {
  countChangedAt,
  type HeatTotals,
  ITEM_HASHES,
  isChanging,
  type ShardState,
  wasScaled,
} from '../../protocol/index.js'
import { FailurePauses } from './failure-pauses.js'
import { itemHash } from './item-hash.js'
import type { HeatReport } from './key-heat.js'

/** How many samples the whole fleet reports per second. Each report is one write unit of the shard map. */
export const SAMPLES_PER_SECOND = 12

/** When almost nothing is accepted, the ratio is meaningless. */
const MAX_RATIO = 100

/** A sample is at least this share of what one partition takes per second. */
const MIN_SAMPLE_SHARE = 1 / 100

/** A process that seldom reports judges by about so many of its last throttled writes. */
const FADING_THROTTLES = 8
const LEFT_OF_TRAFFIC = 1 - 1 / FADING_THROTTLES

/** Of a longer pause between two throttles, only a part of this length counts. */
const MAX_PAUSE_MILLISECONDS = 30_000

/** What this process knows of a throttled key under one shard count. */
export class ThrottledKey {
  readonly #since: number
  readonly #isChanging: boolean
  /** Since when this process has known the count. */
  readonly learntAt: number
  /** When this process last reported. */
  reportedAt = Number.NEGATIVE_INFINITY
  /** Until when this process leaves the key alone, because more shards would not help, or a decision has failed. */
  leftAloneUntil = Number.NEGATIVE_INFINITY
  readonly reportPauses = new FailurePauses()
  readonly decisionPauses = new FailurePauses()
  /** How old the view of the shard map must be before a throttle refreshes it. */
  refreshAfter: number
  refreshedAt = Number.NEGATIVE_INFINITY
  /** How often throttles have refreshed it. */
  refreshes = 0
  /**
   * The samples that are due. It begins with a random fraction: so a process that sees a tenth of a sample reports one with
   * a probability of a tenth.
   */
  #due: number
  #samples = 0
  #units = 0
  #byItem = new Array<number>(ITEM_HASHES).fill(0)
  #unknown = 0
  readonly #items = new Map<number, KeyValue>()
  readonly #traffic = new RecentTraffic()

  constructor(state: ShardState, learntAt: number, random: Random, refreshAfter: number) {
    this.#since = sinceWhen(state)
    this.#isChanging = isChanging(state)
    this.learntAt = learntAt
    this.refreshAfter = refreshAfter
    // mark: process-reports-a-part-of-a-sample-by-chance
    this.#due = random.next()
  }

  /** Whether the key still has the count. */
  isOf(state: ShardState): boolean {
    return sinceWhen(state) === this.#since && isChanging(state) === this.#isChanging
  }

  /** Records a throttle that is no evidence, because the last change has only just taken effect. What follows will be. */
  settling(own: Pick<HeatReport, 'offeredSoFar' | 'acceptedSoFar'>, now: number): void {
    this.#traffic.begin(own, now)
  }

  /** Records a write whose first attempt was throttled. */
  throttled(
    { units, item, unitsPerSample }: ThrottledWrite,
    own: Pick<HeatReport, 'offeredSoFar' | 'acceptedSoFar'>,
    now: number,
  ): void {
    // Writes of unknown items are taken for writes of many.
    const hash = item === undefined ? this.#unknown++ % ITEM_HASHES : itemHash(item)
    this.#traffic.throttled(units, own, now)
    this.#due += units / unitsPerSample
    this.#byItem[hash] = (this.#byItem[hash] ?? 0) + units
    if (item !== undefined) this.#items.set(hash, item)
    const samples = Math.floor(this.#due)
    this.#due -= samples
    this.#samples += samples
    this.#units += samples * unitsPerSample
  }

  /** The heat to report now, or `undefined` if no sample is due. */
  takeSamples(): HeatTotals | undefined {
    const samples = this.#samples
    if (samples === 0) return undefined
    const { offeredUnits, acceptedUnits } = this.#traffic.takePerThrottled()
    const seen = this.#byItem.reduce((sum, units) => sum + units, 0)
    const heat = {
      samples,
      offeredUnits: this.#units * offeredUnits,
      acceptedUnits: this.#units * acceptedUnits,
      throttledUnits: this.#byItem.map((units) => (units * this.#units) / seen),
    }
    this.#samples = 0
    this.#units = 0
    this.#byItem = new Array<number>(ITEM_HASHES).fill(0)
    return heat
  }

  /** The sort key of an item of this class whose write was throttled in this process. */
  itemOf(hash: number): KeyValue | undefined {
    return this.#items.get(hash)
  }
}

interface ThrottledWrite {
  readonly units: number
  readonly item: KeyValue | undefined
  readonly unitsPerSample: number
}

/** What was offered and accepted up to some throttled writes, and the units of these, in write units. */
class Traffic {
  offeredUnits = 0
  acceptedUnits = 0
  throttledUnits = 0

  keep(part: number): void {
    this.offeredUnits *= part
    this.acceptedUnits *= part
    this.throttledUnits *= part
  }

  add(offeredUnits: number, acceptedUnits: number, throttledUnits: number): void {
    this.offeredUnits += offeredUnits
    this.acceptedUnits += acceptedUnits
    this.throttledUnits += throttledUnits
  }
}

/**
 * How much of its traffic to a key this process finds throttled: since its last samples, or over the last throttled writes if these
 * are more. It follows a changing load as fast as it shows: within a moment if most writes are throttled, and over minutes if few
 * are.
 */
class RecentTraffic {
  /** A process that often reports knows exactly what came since. Throttles come in groups, and a few of a group mean little. */
  readonly #sinceSamples = new Traffic()
  #throttles = 0
  readonly #fading = new Traffic()
  #at = Number.NaN
  #offeredBefore = 0
  #acceptedBefore = 0

  begin(
    { offeredSoFar, acceptedSoFar }: Pick<HeatReport, 'offeredSoFar' | 'acceptedSoFar'>,
    now: number,
  ): void {
    this.#at = now
    this.#offeredBefore = offeredSoFar
    this.#acceptedBefore = acceptedSoFar
  }

  throttled(units: number, own: Pick<HeatReport, 'offeredSoFar' | 'acceptedSoFar'>, now: number): void {
    const { offeredSoFar, acceptedSoFar } = own
    // What was offered before the first throttle says nothing: it used the partition's burst capacity. After a long pause, only
    // the last part of it counts.
    if (!Number.isNaN(this.#at)) {
      const part = Math.min(1, MAX_PAUSE_MILLISECONDS / (now - this.#at))
      // A key that was forgotten meanwhile is counted from 0 again.
      const isAnew = offeredSoFar < this.#offeredBefore || acceptedSoFar < this.#acceptedBefore
      const offered = part * (offeredSoFar - (isAnew ? 0 : this.#offeredBefore))
      const accepted = part * (acceptedSoFar - (isAnew ? 0 : this.#acceptedBefore))
      this.#sinceSamples.add(offered, accepted, units)
      this.#throttles += 1
      this.#fading.keep(LEFT_OF_TRAFFIC)
      this.#fading.add(offered, accepted, units)
    }
    this.begin(own, now)
  }

  /** The units for each throttled one. */
  takePerThrottled(): { readonly offeredUnits: number; readonly acceptedUnits: number } {
    const traffic = this.#throttles >= FADING_THROTTLES ? this.#sinceSamples : this.#fading
    const { offeredUnits, acceptedUnits, throttledUnits } = traffic
    this.#sinceSamples.keep(0)
    this.#throttles = 0
    if (throttledUnits === 0) return { offeredUnits: 1, acceptedUnits: 0 }
    return {
      offeredUnits: Math.max(1, offeredUnits / throttledUnits),
      acceptedUnits: acceptedUnits / throttledUnits,
    }
  }
}

/**
 * The units of one sample. The fleet's throttled units per second are estimated from this process: all shards together accept a known
 * rate, and the process knows how much of its own traffic is throttled for each unit that is accepted. So a fleet reports about
 * `SAMPLES_PER_SECOND`, whether it has one process or ten thousand.
 *
 * @param writeUnits the units of a usual write. One more is assumed to be accepted, and one to be throttled: the first write of a
 * process, if it is throttled, does not mean that all writes are.
 */
export function unitsPerSample(
  { acceptedUnits, throttledUnits }: Pick<HeatReport, 'acceptedUnits' | 'throttledUnits'>,
  writeUnits: number,
  { shards, partitionUnitsPerSecond }: { readonly shards: number; readonly partitionUnitsPerSecond: number },
): number {
  const throttledPerAccepted = (throttledUnits + writeUnits) / (acceptedUnits + writeUnits)
  const throttledPerSecond = shards * partitionUnitsPerSecond * Math.min(MAX_RATIO, throttledPerAccepted)
  return Math.max(
    writeUnits,
    MIN_SAMPLE_SHARE * partitionUnitsPerSecond,
    throttledPerSecond / SAMPLES_PER_SECOND,
  )
}

/** Tells one count of a key from another. A key that was never scaled has had its count all the time, whenever its item was written. */
function sinceWhen(state: ShardState): number {
  return wasScaled(state) ? countChangedAt(state) : -state.shards
}
