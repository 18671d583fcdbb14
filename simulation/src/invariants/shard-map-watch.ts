import type { WorkloadTable } from '../workloads/workload.js'
import type { ExecutedRequest } from '../world/network.js'
import type { StoredCopies } from '../world/stored-items.js'
import { Violation } from '../world/violation.js'
import type { World } from '../world/world.js'

/** What the shard map said of one key, read by this project's other hand. */
interface Seen {
  readonly shards: number
  readonly readable: number
  readonly phase: string | undefined
  readonly from: number
  readonly to: number
}

interface KeyState {
  /** The count in use. */
  readonly shards: number
  /** When a change of it was begun last. */
  readonly changedAt: number
  /** Since when the shard map says what it does of shards. */
  readonly seenAt: number
  /** Since when it is being changed, or shards are being emptied, if they are. */
  readonly changingSince: number | undefined
}

interface KeyWatch {
  seen: Seen
  seenAt: number
  changedAt: number
  /** Changes that came one after another without a cooldown between. */
  hurried: number
}

/** Steps that a key may make without a cooldown, when growing did not help: documented of the library's scaling. */
const MAX_HURRIED = 2

interface WatchOptions {
  readonly cooldownMilliseconds: number
  /** Whether people change counts too, who need not wait. */
  readonly isByHand: boolean
  /** How far a calendar may be off when a process begins, either way, and how much faster or slower it may run. */
  readonly calendarMilliseconds: number
  readonly drift: number
  /** What is stored of a key. */
  readonly itemsOf: (key: string) => Iterable<StoredCopies>
}

type Item = Readonly<
  Record<string, { readonly N?: string; readonly S?: string; readonly SS?: readonly string[] }>
>

/** Follows the shard map of one table as the service stores it, and holds it against its rules and against the items. */
export class ShardMapWatch {
  readonly #world: World
  readonly #table: WorkloadTable
  readonly #shardMap: string
  readonly #options: WatchOptions
  readonly #keys = new Map<string, KeyWatch>()
  changes = 0

  constructor(world: World, table: WorkloadTable, options: WatchOptions) {
    this.#options = options
    this.#world = world
    this.#table = table
    this.#shardMap = table.sharded.shardMap ?? `${table.name}_shard_map`
  }

  readonly observe = ({ operation, input, output }: ExecutedRequest): void => {
    if (output === undefined || (operation !== 'PutItem' && operation !== 'UpdateItem')) return
    const request = input as { readonly TableName?: string; readonly Item?: Item; readonly Key?: Item }
    if (request.TableName !== this.#shardMap) return
    const key = (request.Item ?? request.Key)?.[this.#table.partitionKey]?.S
    if (key !== undefined) this.#look(key).catch((error: unknown) => this.#world.guard(error))
  }

  /** The shard map's own name. */
  get table(): string {
    return this.#shardMap
  }

  /** What is known of a key that the shard map has. */
  stateOf(key: string): KeyState | undefined {
    const watch = this.#keys.get(key)
    if (watch === undefined) return undefined
    const { seen, seenAt, changedAt } = watch
    const isChanging = seen.phase !== undefined || seen.readable > seen.shards
    return { shards: seen.shards, seenAt, changedAt, changingSince: isChanging ? changedAt : undefined }
  }

  keys(): Iterable<string> {
    return this.#keys.keys()
  }

  /** An item was stored: readers must look there. @throws Violation */
  checkCovered({ logicalKey, sort, shards }: StoredCopies): void {
    const seen = this.#keys.get(logicalKey)?.seen
    if (seen === undefined) return
    for (const shard of shards) {
      if (shard <= seen.readable) continue
      throw new Violation(
        'the history covers every shard that holds an item',
        `${logicalKey} ${sort} is in shard ${shard}, and readers look in ${seen.readable}`,
        [logicalKey],
      )
    }
  }

  async #look(key: string): Promise<void> {
    const { output } = await this.#world.lane.execute('GetItem', {
      TableName: this.#shardMap,
      Key: { [this.#table.partitionKey]: { S: key } },
      ConsistentRead: true,
    })
    const { Item } = output as { readonly Item?: Item }
    if (Item === undefined) return
    const seen = seenOf(Item)
    const watch = this.#keys.get(key)
    if (watch === undefined) {
      const seenAt = this.#world.now
      this.#keys.set(key, { seen, seenAt, changedAt: Number.NEGATIVE_INFINITY, hurried: 0 })
      return
    }
    const before = watch.seen
    watch.seen = seen
    if (textOf(before) !== textOf(seen)) watch.seenAt = this.#world.now
    requireNextPhase(key, before, seen)
    // An item that is written is held against what is known by then; here those are that were there before.
    if (seen.readable < before.readable)
      for (const copies of this.#options.itemsOf(key)) this.checkCovered(copies)
    if (isChange(before, seen)) this.#changed(key, watch, before, seen)
    this.#world.trace.told('service', `${this.#shardMap} ${key}: ${textOf(before)} -> ${textOf(seen)}`)
  }

  #changed(key: string, watch: KeyWatch, before: Seen, seen: Seen): void {
    this.changes += 1
    const { now, elapsed, furthestAhead } = this.#world
    const { cooldownMilliseconds, calendarMilliseconds, drift, isByHand } = this.#options
    // Calendars are what the cooldown is counted by, in whole seconds, and two of them are apart by so much.
    const error = 2 * (calendarMilliseconds + drift * elapsed) + furthestAhead + 1_000
    const isHurried = now - watch.changedAt < cooldownMilliseconds - error
    watch.hurried = isHurried ? watch.hurried + 1 : 0
    watch.changedAt = now
    if (isByHand || watch.hurried <= MAX_HURRIED) return
    throw new Violation(
      'a count changes once a cooldown',
      `that of ${key} changed ${watch.hurried + 1} times without one, from ${before.shards} to ${seen.shards} at last`,
      [key],
    )
  }
}

function seenOf(item: Item): Seen {
  const shards = Number(item.number_of_shards?.N)
  const history = (item.shard_history?.SS ?? []).map((entry) => Number(entry.slice(entry.indexOf(':') + 1)))
  return {
    shards,
    readable: Math.max(shards, ...history),
    phase: item.phase?.S,
    from: Number(item.from_shards?.N ?? 0),
    to: Number(item.to_shards?.N ?? 0),
  }
}

/** A change begins here: the count in use is another one, or will be. */
function isChange(before: Seen, seen: Seen): boolean {
  if (seen.phase === undefined && before.phase === undefined) return before.shards !== seen.shards
  return before.phase === undefined && seen.phase !== undefined
}

/** *settled* -> *announced* -> *moved* -> *settled*, between the same two counts. @throws Violation */
function requireNextPhase(key: string, before: Seen, seen: Seen): void {
  const isSame = before.from === seen.from && before.to === seen.to
  const isAllowed =
    (before.phase === seen.phase &&
      (seen.phase === undefined || (isSame && before.shards === seen.shards))) ||
    (before.phase === undefined && seen.phase === 'announced' && seen.shards === before.shards) ||
    (before.phase === 'announced' && seen.phase === 'moved' && isSame && seen.shards === seen.to) ||
    (before.phase === 'moved' && seen.phase === undefined && seen.shards === before.to)
  if (isAllowed) return
  throw new Violation('no phase is skipped', `${key} went from ${textOf(before)} to ${textOf(seen)}`, [key])
}

function textOf({ shards, readable, phase, from, to }: Seen): string {
  return phase === undefined ? `${shards} of ${readable}` : `${phase} ${from} -> ${to}`
}
