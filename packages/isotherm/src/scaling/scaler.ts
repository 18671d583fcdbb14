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
import type { CountChanger } from './count-changer.js'
import { KeyFlights } from './key-flights.js'
import type { ScalingOptions } from './scaling-options.js'
import { GrowthWatch } from './sensing/growth-watch.js'
import { HeatReports } from './sensing/heat-reports.js'
import type { HeatReport, KeyHeat } from './sensing/key-heat.js'
import { isHotEnough, isSuspect } from './sensing/own-evidence.js'

/** Keys whose change is under way in this process at a time; more wait for their next throttle. */
const MAX_FLIGHTS = 64

/** Changes without waiting for the cooldown. After two in vain it is the table that is full, not the key's partitions. */
const MAX_HURRIED_CHANGES = 2

export interface ScalerOptions {
  readonly table: string
  readonly shards: ScalingOptions
  readonly shardMap: ShardMap
  /** Where processes leave word for each other. */
  readonly store: Pick<ShardMapStore, 'report'>
  readonly changer: CountChanger
  readonly heat: KeyHeat
  readonly clock: Clock
  readonly random: Random
  readonly emit: Emit
  /** Ends the waits when the client is destroyed. */
  readonly signal: AbortSignal
  readonly onFailed: (error: unknown) => void
}

/**
 * Gives a throttled key more shards: once a cooldown, after a random wait, in one conditional write.
 *
 * A process acts on what it sees of the key itself, and where that is little, on what all processes see together: they
 * leave word in the shard map (`HeatReports`). So a neighbour of a hot key is not scaled by a process that sees only
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

  /** The key was throttled by its partition. Cheap, unless the key is due for a change; never throws. */
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
    // Reading costs less than a refused write, and most of a fleet finds here that another process was first.
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

  /** What speaks for a change now, if anything does. */
  #evidence(key: LogicalKey, state: ShardState): Evidence | undefined {
    // Only one change at a time, and a calculated key's takes its time.
    if (isChanging(state)) return undefined
    const { shards, heat: heats, clock } = this.#options
    const isCooledDown = this.#isCooledDown(state)
    const heat = heats.report(key)
    if (heat === undefined || !isSuspect(heat, state.shards, shards.partitionUnitsPerSecond)) return undefined
    const collided = this.#mayHurry(state) && this.#growths.collided(key, state, heat, clock.now())
    return isCooledDown || collided ? { state, heat, collided } : undefined
  }

  /** Counted by what the shard map says of the last changes: each of them may be another process's. */
  #mayHurry(state: ShardState): boolean {
    const { cooldownMilliseconds } = this.#options.shards
    return hurriedChanges(state, cooldownMilliseconds / 1_000) < MAX_HURRIED_CHANGES
  }

  /** What the fleet as a whole does with the key, if that is enough to make a partition hot; else this process leaves word. */
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
        // Refused writes are not reported: the share that this process sees stands for all.
        throttledUnits: (heat.throttledUnits * fleet.offered) / own.offered,
      }
    }
    const report = this.#reports.next(state, own, epochSeconds)
    if (report !== undefined) await store.report(key, report)
    return undefined
  }

  async #change(key: LogicalKey, evidence: Evidence, throttled: HeatReport): Promise<void> {
    const { state, collided } = evidence
    const { table, heat: heats, clock, emit, changer } = this.#options
    const wanted = this.#wanted(evidence)
    if (wanted <= state.shards) {
      const at = clock.now()
      this.#limitToldAt.set(keyText(key), at)
      emit({ type: 'shard-limit-reached', table, logicalKey: plainKey(key), shards: state.shards, at })
      return
    }
    const changed = await changer.change(key, state, wanted, collided ? 'collision' : 'hot')
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

  /** The first entry of a key is no change to wait for: a key may be hot from its first second. */
  #isCooledDown(state: ShardState): boolean {
    const { clock, shards } = this.#options
    if (!wasScaled(state) && state.shards === shards.initial) return true
    // mark: count-has-a-cooldown
    return clock.now() - countChangedAt(state) * 1_000 >= shards.cooldownMilliseconds
  }

  #wasLimitTold(text: string): boolean {
    const toldAt = this.#limitToldAt.peek(text)
    const { clock, shards } = this.#options
    // Without a cooldown there is still no use in telling more than once a second.
    return toldAt !== undefined && clock.now() - toldAt < Math.max(1_000, shards.cooldownMilliseconds)
  }
}

interface Evidence {
  /** What it speaks for a change of. */
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
