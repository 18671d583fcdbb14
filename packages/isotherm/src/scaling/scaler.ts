import { type Clock, type Random, randomInteger } from '@isotherm/runtime'
import { RecentlyUsedMap } from '../bounded/recently-used-map.js'
import { IsothermError } from '../errors/isotherm-error.js'
import type { Emit } from '../events/event.js'
import { keyText, type LogicalKey, plainKey } from '../keys/key.js'
import {
  type AtRest,
  countChangedAt,
  hurriedChanges,
  isChanging,
  type ShardMap,
  type ShardMapStore,
  type ShardState,
  targetCount,
  wasScaled,
} from '../protocol/index.js'
import { rememberedCount } from './coming-down/last-peak.js'
import type { CountChanger } from './count-changer.js'
import { KeyFlights } from './key-flights.js'
import type { ScalingOptions } from './scaling-options.js'
import { GrowthWatch } from './sensing/growth-watch.js'
import { HeatReports } from './sensing/heat-reports.js'
import type { HeatReport, KeyHeat } from './sensing/key-heat.js'
import { isHotEnough, isSuspect } from './sensing/own-evidence.js'

/** The maximum number of keys that this process changes concurrently. Others wait for their next throttle. */
const MAX_FLIGHTS = 64

/** The maximum number of changes without a cooldown. If two do not help, the table is full, not the key's partitions. */
const MAX_HURRIED_CHANGES = 2

export interface ScalerOptions {
  readonly table: string
  readonly shards: ScalingOptions
  readonly shardMap: ShardMap
  /** The shard map, where processes record their rates. */
  readonly store: Pick<ShardMapStore, 'report'>
  readonly changer: CountChanger
  readonly heat: KeyHeat
  readonly clock: Clock
  readonly random: Random
  readonly emit: Emit
  /** Stops the waits when the client is destroyed. */
  readonly signal: AbortSignal
  readonly onFailed: (error: unknown) => void
}

/**
 * Gives a throttled key more shards: at most once per cooldown, after a random delay, with one conditional write.
 *
 * If this process's own traffic to the key is not enough to decide, it adds the rates that other processes have
 * recorded in the shard map (`HeatReports`). So a process that writes only to a neighbour of a hot key does not scale
 * the neighbour.
 */
export class Scaler {
  readonly #options: ScalerOptions
  readonly #flights: KeyFlights
  readonly #limitToldAt = new RecentlyUsedMap<string, number>(1_000)
  readonly #growths = new GrowthWatch()
  readonly #reports: HeatReports

  constructor(options: ScalerOptions) {
    this.#options = options
    this.#flights = new KeyFlights({ ...options, max: MAX_FLIGHTS })
    this.#reports = new HeatReports(options.random)
  }

  /** Handles a throttle of the key by its partition. It is cheap unless the key is due for a change, and never throws. */
  consider(key: LogicalKey): void {
    const text = keyText(key)
    // mark: hot-key-grows
    if (!this.#flights.mayBegin(text)) return
    const state = this.#options.shardMap.peek(key)
    if (state === undefined || this.#wasLimitTold(text)) return
    const evidence = this.#evidence(key, state)
    if (evidence === undefined) return
    this.#flights.begin(text, () => this.#scale(key, state, evidence.heat))
  }

  async #scale(key: LogicalKey, seen: ShardState, throttled: HeatReport): Promise<void> {
    const { shardMap, heat, clock, random, shards, signal } = this.#options
    const [from, to] = shards.jitterMilliseconds
    await clock.sleep(
      randomInteger(random, Math.ceil(from), Math.floor(Math.max(Math.ceil(from), to))),
      signal,
    )
    // A read costs less than a failed conditional write, and usually shows that another process has changed the count.
    const state = await shardMap.reread(key)
    if (state === undefined) return
    if (countChangedAt(state) !== countChangedAt(seen)) {
      if (targetCount(state) > seen.shards) this.#grew(key, seen.shards, state, throttled)
      return heat.reset(key)
    }
    const evidence = this.#evidence(key, state)
    if (evidence === undefined) return
    const fleet = await this.#ofFleet(key, state, evidence.heat)
    if (fleet !== undefined) await this.#change(key, { ...evidence, heat: fleet }, throttled)
  }

  /** The evidence for a change now, or `undefined` if there is not enough. */
  #evidence(key: LogicalKey, state: ShardState): Evidence | undefined {
    // A key has one change at a time, and with a calculated suffix a change takes a while.
    if (isChanging(state)) return undefined
    const { shards, heat: heats, clock } = this.#options
    const isCooledDown = this.#isCooledDown(state)
    const heat = heats.report(key)
    if (heat === undefined || !isSuspect(heat, state.shards, shards.partitionUnitsPerSecond)) return undefined
    const collided = this.#mayHurry(state) && this.#growths.collided(key, state, heat, clock.now())
    return isCooledDown || collided ? { state, heat, collided } : undefined
  }

  /** Uses the history in the shard map, because any process may have made the last changes. */
  #mayHurry(state: ShardState): boolean {
    const { cooldownMilliseconds } = this.#options.shards
    return hurriedChanges(state, cooldownMilliseconds / 1_000) < MAX_HURRIED_CHANGES
  }

  /**
   * Returns the key's traffic from all processes if it can make a partition hot. Otherwise records the rate of this
   * process in the shard map.
   */
  async #ofFleet(key: LogicalKey, state: ShardState, heat: HeatReport): Promise<HeatReport | undefined> {
    const { shards, store, clock } = this.#options
    const own = {
      offered: heat.offeredUnits / heat.windowSeconds,
      accepted: heat.acceptedUnits / heat.windowSeconds,
    }
    const epochSeconds = Math.floor(clock.now() / 1_000)
    const fleet = this.#reports.ofFleet(state, own, epochSeconds)
    if (isHotEnough(fleet.offered, shards.partitionUnitsPerSecond)) {
      return {
        ...heat,
        offeredUnits: fleet.offered * heat.windowSeconds,
        acceptedUnits: fleet.accepted * heat.windowSeconds,
        // Processes do not report throttled writes, so the share of this process is used for all.
        throttledUnits: (heat.throttledUnits * fleet.offered) / own.offered,
      }
    }
    const report = this.#reports.next(state, own, epochSeconds)
    if (report !== undefined) await store.report(key, report)
    return undefined
  }

  async #change(key: LogicalKey, evidence: Evidence, throttled: HeatReport): Promise<void> {
    const { state, collided } = evidence
    const { table, shards, heat: heats, clock, emit, changer } = this.#options
    const wanted = this.#wanted(evidence)
    if (wanted <= state.shards) {
      const at = clock.now()
      this.#limitToldAt.set(keyText(key), at)
      emit({ type: 'shard-limit-reached', table, logicalKey: plainKey(key), shards: state.shards, at })
      return
    }
    const to = Math.min(shards.max, Math.max(wanted, rememberedCount(state, Math.floor(clock.now() / 1_000))))
    const changed = await changer.change(key, state, to, collided ? 'collision' : 'hot')
    if (changed !== undefined) this.#grew(key, state.shards, changed, throttled)
    heats.reset(key)
  }

  #grew(key: LogicalKey, from: number, state: ShardState, throttled: HeatReport): void {
    const { heat, clock } = this.#options
    const now = heat.report(key)
    if (now === undefined) return
    this.#growths.grew(key, from, state, { throttled, now, at: clock.now() })
  }

  #wanted({ heat, collided, state: { shards } }: Evidence): number {
    const { max, policy } = this.#options.shards
    const { offeredUnits, acceptedUnits, throttledUnits, windowSeconds } = heat
    const wanted = policy({ shards, offeredUnits, acceptedUnits, throttledUnits, collided, windowSeconds })
    if (typeof wanted !== 'number' || Number.isNaN(wanted)) throw invalidPolicy(this.#options.table, wanted)
    return Math.min(max, Math.ceil(wanted))
  }

  /** The first entry of a key is not a change, so it has no cooldown: a key may be hot from its first second. */
  #isCooledDown(state: ShardState): boolean {
    const { clock, shards } = this.#options
    if (!wasScaled(state) && state.shards === shards.initial) return true
    // mark: count-has-a-cooldown
    return clock.now() - countChangedAt(state) * 1_000 >= shards.cooldownMilliseconds
  }

  #wasLimitTold(text: string): boolean {
    const toldAt = this.#limitToldAt.peek(text)
    const { clock, shards } = this.#options
    // Even with a shorter cooldown, the event is emitted at most once per second.
    return toldAt !== undefined && clock.now() - toldAt < Math.max(1_000, shards.cooldownMilliseconds)
  }
}

interface Evidence {
  /** The state to change. */
  readonly state: AtRest
  readonly heat: HeatReport
  readonly collided: boolean
}

function invalidPolicy(table: string, value: unknown): IsothermError<'policy.invalid'> {
  return new IsothermError(
    'policy.invalid',
    `The scaling policy of ${table} returned ${String(value)}; it must return the number of shards that is wanted. The count stays as it is.`,
    { table, value },
  )
}
