import { type Clock, type Random, randomInteger } from '@isotherm/runtime'
import { RecentlyUsedMap } from '../bounded/recently-used-map.js'
import { IsothermError } from '../errors/isotherm-error.js'
import type { Emit } from '../events/event.js'
import { keyText, type LogicalKey, plainKey } from '../keys/key.js'
import type { DynamicShards } from '../options/shards.js'
import type { HeatReport, KeyHeat } from '../sensing/key-heat.js'
import { isHotItself } from '../sensing/own-evidence.js'
import type { ShardMap } from '../shard-map/shard-map.js'
import { changedState, type ShardState, wasScaled } from '../shard-map/shard-state.js'

/** Keys whose change is under way in this process at a time; more wait for their next throttle. */
const MAX_FLIGHTS = 64

export interface ScalerOptions {
  readonly table: string
  readonly shards: DynamicShards
  readonly shardMap: ShardMap
  readonly heat: KeyHeat
  readonly clock: Clock
  readonly random: Random
  readonly emit: Emit
  /** Ends the waits when the client is destroyed. */
  readonly signal: AbortSignal
}

/** Gives a throttled key more shards: once a cooldown, after a random wait, in one conditional write. */
export class Scaler {
  readonly #options: ScalerOptions
  readonly #flights = new Set<string>()
  readonly #limitToldAt = new RecentlyUsedMap<string, number>(1_000)

  constructor(options: ScalerOptions) {
    this.#options = options
  }

  /** The key was throttled by its partition. Cheap, unless the key is due for a change; never throws. */
  consider(key: LogicalKey): void {
    const text = keyText(key)
    if (this.#flights.has(text) || this.#flights.size >= MAX_FLIGHTS) return
    const state = this.#options.shardMap.peek(key)
    if (state === undefined || !this.#isCooledDown(state) || this.#wasLimitTold(text)) return
    if (this.#evidence(key, state) === undefined) return
    this.#flights.add(text)
    this.#scale(key, state)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => this.#flights.delete(text))
  }

  async #scale(key: LogicalKey, seen: ShardState): Promise<void> {
    const { shardMap, heat, clock, random, shards, signal } = this.#options
    const [from, to] = shards.jitterMilliseconds
    await clock.sleep(
      randomInteger(random, Math.ceil(from), Math.floor(Math.max(Math.ceil(from), to))),
      signal,
    )
    // Reading costs less than a refused write, and most of a fleet finds here that another process was first.
    const state = await shardMap.reread(key)
    if (state === undefined || state.lastUpdated !== seen.lastUpdated) return heat.reset(key)
    const evidence = this.#evidence(key, state)
    if (evidence === undefined) return
    await this.#change(key, state, this.#wanted(evidence, state))
  }

  async #change(key: LogicalKey, state: ShardState, wanted: number): Promise<void> {
    const { table, shardMap, heat, clock, emit } = this.#options
    const at = clock.now()
    if (wanted <= state.shards) {
      this.#limitToldAt.set(keyText(key), at)
      emit({ type: 'shard-limit-reached', table, logicalKey: plainKey(key), shards: state.shards, at })
      return
    }
    const changed = await shardMap.replace(key, state, changedState(state, wanted, Math.floor(at / 1_000)))
    heat.reset(key)
    if (changed === undefined) return
    emit({
      type: 'scaled',
      table,
      logicalKey: plainKey(key),
      from: state.shards,
      to: wanted,
      at: clock.now(),
    })
  }

  #evidence(key: LogicalKey, { shards }: ShardState): HeatReport | undefined {
    const heat = this.#options.heat.report(key)
    return heat !== undefined && isHotItself(heat, shards) ? heat : undefined
  }

  #wanted(heat: HeatReport, { shards }: ShardState): number {
    const { max, policy } = this.#options.shards
    const { offeredUnits, acceptedUnits, throttledUnits, windowSeconds } = heat
    const wanted = policy({ shards, offeredUnits, acceptedUnits, throttledUnits, windowSeconds })
    if (typeof wanted !== 'number' || Number.isNaN(wanted)) throw invalidPolicy(this.#options.table, wanted)
    return Math.min(max, Math.ceil(wanted))
  }

  /** The first entry of a key is no change to wait for: a key may be hot from its first second. */
  #isCooledDown(state: ShardState): boolean {
    const elapsed = this.#options.clock.now() - state.lastUpdated * 1_000
    return !wasScaled(state) || elapsed >= this.#options.shards.cooldownMilliseconds
  }

  #wasLimitTold(text: string): boolean {
    const toldAt = this.#limitToldAt.get(text)
    const { clock, shards } = this.#options
    // Without a cooldown there is still no use in telling more than once a second.
    return toldAt !== undefined && clock.now() - toldAt < Math.max(1_000, shards.cooldownMilliseconds)
  }

  #failed(error: unknown): void {
    const { table, clock, emit, signal } = this.#options
    if (!signal.aborted) emit({ type: 'failed', table, task: 'scale', error, at: clock.now() })
  }
}

function invalidPolicy(table: string, value: unknown): IsothermError<'policy.invalid'> {
  return new IsothermError(
    'policy.invalid',
    `The scaling policy of ${table} returned ${String(value)}; it must return the number of shards that is wanted. The count stays as it is.`,
    { table, value },
  )
}
