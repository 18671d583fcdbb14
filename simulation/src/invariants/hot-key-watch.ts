import type { ExecutedRequest } from '../world/network.js'
import type { Process } from '../world/process.js'
import { type Attributes, contentOf, takenApart } from '../world/stored-items.js'
import { isKeyRangeThrottle, isThrottle } from '../world/throttle.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { RecentPuts } from './recent-puts.js'
import type { ShardMapWatch } from './shard-map-watch.js'

export interface HotKeyOptions {
  readonly maxShards: number
  /** How long a key may be hot, at most, before its count must have changed. */
  readonly patienceMilliseconds: number
  /** Write units a second that one partition takes, and those of one put. */
  readonly partitionUnits: number
  readonly itemUnits: number
  /** Whether the processes are looked at together, since none of them puts enough to make a key hot. */
  readonly isOfFleet: boolean
}

/**
 * Twice what the library calls enough to make a partition hot, so that nothing depends on where its windows begin; and by
 * one process alone, so that nothing depends on what processes leave word of, but in a fleet of processes that put next to nothing.
 */
const HOT_SHARE_OF_PARTITION = 0.5

/** More refusals in a window than the library forgives, in units and as a share of what was offered. */
const MIN_REFUSED_UNITS = 6
const MIN_REFUSED_SHARE = 0.05

/** A key that is refused less than that, beside another key of the process, may be taken for its harmless neighbour. */
const MIN_SHARE_OF_HOTTEST = 0.5

/** The recent puts of one process to one table. */
interface Load {
  readonly keys: Map<string, KeyLoad>
  second: number
}

interface KeyLoad {
  readonly puts: RecentPuts
  /** Since when each window was one of a hot key; infinite while the last one was not. */
  hotSince: number
}

/**
 * Looks whether a key gets more shards that is refused by its partition through its own fault, second after second. What is
 * seen is what arrives at the service: a process that is held up does not put, and so is not waited for.
 */
export class HotKeyWatch {
  readonly #world: World
  readonly #table: WorkloadTable
  readonly #shardMap: ShardMapWatch
  readonly #options: HotKeyOptions
  readonly #loads = new Map<Process | 'fleet', Load>()

  constructor(world: World, table: WorkloadTable, shardMap: ShardMapWatch, options: HotKeyOptions) {
    this.#world = world
    this.#table = table
    this.#shardMap = shardMap
    this.#options = options
  }

  /** @throws Violation */
  readonly observe = ({ process, operation, input, error }: ExecutedRequest): void => {
    const { TableName, Item } = input as { readonly TableName?: string; readonly Item?: Attributes }
    // Who cannot reach the shard map cannot change a count.
    if (TableName === this.#shardMap.table && isThrottle(error)) this.#loads.delete(process)
    if (TableName !== this.#table.name || operation !== 'PutItem' || Item === undefined) return
    const { partitionKey, sortKey, sharded } = this.#table
    const { logicalKey } = takenApart(contentOf(Item[partitionKey]), sharded.adopt === true)
    const load = this.#loadOf(process)
    this.#roll(process, load)
    const { puts } = keyOf(load, logicalKey)
    puts.sent(contentOf(Item[sortKey]), isKeyRangeThrottle(error))
  }

  #loadOf(one: Process): Load {
    const process = this.#options.isOfFleet ? 'fleet' : one
    let load = this.#loads.get(process)
    if (load === undefined) {
      load = { keys: new Map(), second: this.#second }
      this.#loads.set(process, load)
    }
    return load
  }

  get #second(): number {
    return Math.floor(this.#world.elapsed / 1_000)
  }

  /** Looks at each second that has ended since. */
  #roll(process: Process, load: Load): void {
    const bornAt = this.#world.now - this.#world.elapsed
    for (; load.second < this.#second; load.second++) {
      // Not the time of now: a process that stood still is looked at when it puts again.
      const endedAt = bornAt + (load.second + 1) * 1_000
      let most = 0
      for (const { puts } of load.keys.values()) most = Math.max(most, puts.refused)
      for (const [key, each] of load.keys) {
        if (!this.#isHot(each.puts, most)) each.hotSince = Number.POSITIVE_INFINITY
        else each.hotSince = Math.min(each.hotSince, endedAt)
        this.#checkGrown(process, key, each, endedAt)
        each.puts.nextSecond()
      }
    }
  }

  #isHot({ offered, refused, seconds }: RecentPuts, mostRefused: number): boolean {
    const { partitionUnits, itemUnits } = this.#options
    return (
      offered * itemUnits >= HOT_SHARE_OF_PARTITION * partitionUnits * seconds &&
      refused * itemUnits >= MIN_REFUSED_UNITS &&
      refused >= MIN_REFUSED_SHARE * offered &&
      refused >= MIN_SHARE_OF_HOTTEST * mostRefused
    )
  }

  #checkGrown({ name }: Process, key: string, { hotSince }: KeyLoad, at: number): void {
    const state = this.#shardMap.stateOf(key)
    const { maxShards, isOfFleet } = this.#options
    if (state === undefined || state.shards >= maxShards) return
    const milliseconds = at - Math.max(hotSince, state.cooldownFrom)
    if (milliseconds <= this.#options.patienceMilliseconds) return
    throw new Violation(
      'a hot key gets more shards',
      `${key} was refused in ${isOfFleet ? 'the fleet' : name} for ${Math.round(milliseconds / 1_000)} s, and has ${state.shards} still`,
      [key],
    )
  }
}

function keyOf({ keys }: Load, key: string): KeyLoad {
  let load = keys.get(key)
  if (load === undefined) {
    load = { puts: new RecentPuts(), hotSince: Number.POSITIVE_INFINITY }
    keys.set(key, load)
  }
  return load
}
