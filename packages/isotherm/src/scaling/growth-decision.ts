import { type Clock, type Random, randomInteger } from '@isotherm/runtime'
import type { KeyValue } from '@isotherm/semantics'
import { IsothermError } from '../errors/isotherm-error.js'
import type { Emit, ThrottleScope } from '../events/event.js'
import { type LogicalKey, plainKey } from '../keys/key.js'
import type { PlacementKind } from '../options/sharded-table.js'
import {
  type AtRest,
  type Diagnosis,
  type HeatTotals,
  isChanging,
  NO_HEAT,
  type ShardMap,
  type ShardMapStore,
  wasScaled,
} from '../protocol/index.js'
import { rememberedCount } from './coming-down/last-peak.js'
import type { CountChanger } from './count-changer.js'
import type { ScalingOptions } from './scaling-options.js'
import {
  type FleetHeat,
  growthsInVain,
  heatBetween,
  isOfOneItem,
  isThrottled,
  MIN_SAMPLES,
} from './sensing/fleet-heat.js'
import type { KeyHeat } from './sensing/key-heat.js'
import { mayBeHot } from './sensing/may-be-hot.js'
import type { ThrottledKey } from './sensing/throttled-key.js'

/** A key that is throttled now and then may need this long for enough samples. */
const MAX_MEASURING_MILLISECONDS = 60_000

/** The shortest time over which rates are measured: the service limits units per second. */
const MIN_MEASURING_MILLISECONDS = 1_000

/**
 * The same for a calculated suffix. Its change takes longer than that, and nothing can correct a count that is too low until it has
 * settled, so the count has to be right. The first second of throttles shows less than the whole demand: burst capacity still
 * serves a part of it.
 */
const MIN_MEASURING_OF_CALCULATED_MILLISECONDS = 2_000

/**
 * Where few writes are throttled, each report stands for much traffic, also of the time before the measurement: at a share of 0.02,
 * ten seconds are measured. A key like that can wait.
 */
const SHARE_SECONDS = 0.2
const LONG_ENOUGH_MILLISECONDS = 10_000

/** The longest time between two reads of the totals. */
const MAX_WAIT_MILLISECONDS = 10_000

/** How long this process does not decide again, after more shards would not have helped, or an error that would come again. */
const LEFT_ALONE_MILLISECONDS = 30_000

/** If so many growths in a row do not help, the table is full, not the key's partitions. */
const MAX_GROWTHS_IN_VAIN = 2

/** With this share of what their partitions take, a key's shards are full, whatever throttled it. */
const FULL = 0.8

/** How long a key whose throttles have no reason does not grow again, because its table may be what is full. */
const UNKNOWN_SCOPE_MILLISECONDS = 3_600_000

export interface GrowthDecisionOptions {
  readonly table: string
  readonly placementKind: PlacementKind
  readonly shards: ScalingOptions
  readonly shardMap: ShardMap
  readonly store: Pick<ShardMapStore, 'find'>
  readonly changer: CountChanger
  readonly heat: Pick<KeyHeat, 'report' | 'reset' | 'hottestThrottledUnits'>
  readonly clock: Clock
  readonly random: Random
  readonly emit: Emit
  readonly signal: AbortSignal
}

/** A key that is throttled, and the fleet's heat when the measurement begins. */
interface Throttled {
  readonly key: LogicalKey
  readonly throttled: ThrottledKey
  readonly scope: ThrottleScope
  readonly before: { readonly heat: HeatTotals; readonly at: number }
}

/**
 * Decides whether a throttled key gets more shards: measures the heat of the whole fleet for a few seconds, and changes the count
 * with one conditional write. Of several processes that decide at the same time, one changes it, and the others see that.
 */
export class GrowthDecision {
  readonly #options: GrowthDecisionOptions

  constructor(options: GrowthDecisionOptions) {
    this.#options = options
  }

  async decide(asked: Throttled): Promise<void> {
    const { clock, random } = this.#options
    const { throttled } = asked
    try {
      const measured = await this.#measure(asked)
      const isLeftAlone = measured !== undefined && !(await this.#grow(asked, measured.state, measured.heat))
      if (isLeftAlone) throttled.leftAloneUntil = clock.now() + LEFT_ALONE_MILLISECONDS
      throttled.decisionPauses.succeeded()
    } catch (error) {
      throttled.leftAloneUntil =
        clock.now() + throttled.decisionPauses.after(error, random, LEFT_ALONE_MILLISECONDS)
      throw error
    }
  }

  /** Measures until there are enough samples. `undefined` if the count was changed meanwhile. */
  async #measure({ key, throttled, before }: Throttled) {
    const { shardMap, clock, random, shards, signal, placementKind } = this.#options
    const [from, to] = shards.jitterMilliseconds
    const atLeast =
      placementKind === 'calculated' ? MIN_MEASURING_OF_CALCULATED_MILLISECONDS : MIN_MEASURING_MILLISECONDS
    let wait = randomInteger(random, Math.ceil(from), Math.max(Math.ceil(from), Math.floor(to)))
    for (;;) {
      await clock.sleep(wait, signal, { mayEndProcess: true })
      const state = await shardMap.reread(key)
      if (state === undefined || isChanging(state) || !throttled.isOf(state)) return undefined
      const elapsed = clock.now() - before.at
      const mostAccepted = state.shards * shards.partitionUnitsPerSecond
      const heat = heatBetween(before.heat, state.fleet?.heat ?? NO_HEAT, elapsed / 1_000, mostAccepted)
      const enough = Math.max(atLeast, measuringMilliseconds(heat))
      if (heat.samples >= MIN_SAMPLES && elapsed >= enough) return { state, heat }
      if (elapsed >= MAX_MEASURING_MILLISECONDS) return undefined
      // The time that the missing samples will take.
      const left = Math.max(enough - elapsed, elapsed * (MIN_SAMPLES / Math.max(1, heat.samples) - 1))
      const longest = Math.min(MAX_WAIT_MILLISECONDS, elapsed)
      wait = Math.max(MIN_MEASURING_MILLISECONDS, Math.min(longest, left))
    }
  }

  /** @returns whether this process or another one has just changed the count, or may change it soon */
  async #grow({ key, throttled, scope }: Throttled, state: AtRest, heat: FleetHeat): Promise<boolean> {
    const { shards: options, heat: heats, clock, changer } = this.#options
    const { shards, fleet } = state
    const own = heats.report(key)
    if (own === undefined || !isThrottled(heat)) return false
    const size = { shards, partitionUnitsPerSecond: options.partitionUnitsPerSecond }
    const { throttledUnits } = own
    const hottestThrottledUnits = heats.hottestThrottledUnits()
    if (!mayBeHot({ throttledUnits, hottestThrottledUnits }, heat.offeredUnits / heat.seconds, size))
      return false
    if (isOfOneItem(heat)) return this.#found(key, state, 'hot_item', throttled.itemOf(heat.hottest.hash))
    const inVain = growthsInVain(fleet?.lastGrowth, shards, heat)
    if (inVain >= MAX_GROWTHS_IN_VAIN) return this.#found(key, state, 'table_full', undefined)
    if (scope === 'unknown' && wasScaled(state) && !this.#isFull(state, throttled, heat)) return false
    const wanted = this.#wanted(heat, shards, own.trend)
    if (wanted <= shards) {
      if (shards >= options.max) this.#tellLimit(key, shards)
      return false
    }
    const remembered = rememberedCount(state, Math.floor(clock.now() / 1_000))
    const to = Math.min(options.max, Math.max(wanted, remembered))
    const growth = {
      from: shards,
      to,
      acceptedPerSecond: heat.acceptedUnits / heat.seconds,
      throttledPerSecond: heat.throttledUnits / heat.seconds,
      inVain,
    }
    const changed = await changer.change(key, state, to, 'hot', growth)
    if (changed !== undefined) heats.reset(key)
    return true
  }

  /**
   * Whether a key whose throttles have no reason may grow again: its shards accept nearly what their partitions take, so these are
   * full, or the last growth was long ago.
   */
  #isFull({ shards }: AtRest, { learntAt }: ThrottledKey, { acceptedUnits, seconds }: FleetHeat): boolean {
    const { clock, shards: options } = this.#options
    const limit = shards * options.partitionUnitsPerSecond
    return acceptedUnits / seconds >= FULL * limit || clock.now() >= learntAt + UNKNOWN_SCOPE_MILLISECONDS
  }

  #wanted(
    { offeredUnits, acceptedUnits, throttledUnits, seconds }: FleetHeat,
    shards: number,
    trend: number,
  ): number {
    const { max, policy, partitionUnitsPerSecond } = this.#options.shards
    const wanted = policy({
      shards,
      offeredUnits,
      acceptedUnits,
      throttledUnits,
      windowSeconds: seconds,
      trend,
      isCalculated: this.#options.placementKind === 'calculated',
      partitionUnitsPerSecond,
    })
    if (typeof wanted !== 'number' || Number.isNaN(wanted)) throw invalidPolicy(this.#options.table, wanted)
    return Math.min(max, Math.ceil(wanted))
  }

  #tellLimit(key: LogicalKey, shards: number): void {
    const { table, emit, clock } = this.#options
    emit({ type: 'shard-limit-reached', table, logicalKey: plainKey(key), shards, at: clock.now() })
  }

  /** Emits the event once for the whole fleet. */
  async #found(
    key: LogicalKey,
    state: AtRest,
    diagnosis: Diagnosis,
    item: KeyValue | undefined,
  ): Promise<false> {
    const { table, store, emit, clock } = this.#options
    if (!(await store.find(key, state, diagnosis))) return false
    const about = { table, logicalKey: plainKey(key), shards: state.shards, at: clock.now() }
    if (diagnosis === 'hot_item') emit({ type: 'hot-item', ...about, sortKey: item, cure: HOT_ITEM_CURE })
    else emit({ type: 'table-full', ...about, cure: TABLE_FULL_CURE })
    return false
  }
}

function measuringMilliseconds({ offeredUnits, throttledUnits }: FleetHeat): number {
  const share = throttledUnits / Math.max(1, offeredUnits)
  return Math.min(LONG_ENOUGH_MILLISECONDS, (1_000 * SHARE_SECONDS) / share)
}

const HOT_ITEM_CURE =
  'More shards cannot help one item. Split it (a counter: with counter() of isotherm/counter), cache its reads, or write it less often.'

const TABLE_FULL_CURE =
  "More shards did not help: the table's partitions are full. Raise the warm throughput or the provisioned capacity of the table."

function invalidPolicy(table: string, value: unknown): IsothermError<'policy.invalid'> {
  const returned = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return new IsothermError(
    'policy.invalid',
    `The scaling policy of ${table} returned ${returned}; it must return the number of shards that is wanted. The count stays as it is.`,
    { table, value },
  )
}
