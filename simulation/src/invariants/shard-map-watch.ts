import type { ExecutedRequest } from '../world/network.js'
import type { Process } from '../world/process.js'
import type { StoredCopies } from '../world/stored-items.js'
import { Violation } from '../world/violation.js'
import { shardMapOf, type WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { CardWatch, isCardKey } from './card-watch.js'
import { isIndexKey } from './index-count-watch.js'

/** What the shard map said of one key, read by this project's other hand. */
interface Seen {
  readonly shards: number
  readonly readable: number
  readonly phase: string | undefined
  readonly from: number
  readonly to: number
  /** How many changes the history tells of, and when the last one was. */
  readonly entries: number
  readonly lastEntry: number
}

interface KeyState {
  /** The count in use. */
  readonly shards: number
  /** When a change of it was begun last. */
  readonly changedAt: number
  /** Since when the next one has to wait. */
  readonly cooldownFrom: number
  /** Since when the shard map says what it does of shards. */
  readonly seenAt: number
  /** Since when it is being changed, or shards are being emptied, if they are. */
  readonly changingSince: number | undefined
}

interface KeyWatch {
  seen: Seen
  seenAt: number
  changedAt: number
  /** When the history got its last entry: where a change began, and where it came to its end. */
  cooldownFrom: number
  /** Changes that came one after another without a cooldown between. */
  hurried: number
}

/** How long the library lets a new count take effect before it looks again whether the key is throttled. */
const SETTLING_MILLISECONDS = 6_000

/** Where the history was cut and tells of one change alone, nobody knows whether the next one is hurried: it is not counted. */
const UNCOUNTED = -1

export interface WatchOptions {
  /** The count of a key that the shard map does not have yet. */
  readonly initialShards: number
  readonly cooldownMilliseconds: number
  /** Whether it was people who gave a key this count in a process: they need not wait. */
  readonly isByHand: (process: Process, key: string, shards: number) => boolean
  /** Hears of every change of a count, also of one that is only announced. */
  readonly onChanged: (key: string, shards: number) => void
  /** How far a calendar may be off when a process begins, either way, and how much faster or slower it may run. */
  readonly calendarMilliseconds: number
  readonly drift: number
  /** What is stored of a key. */
  readonly itemsOf: (key: string) => Iterable<StoredCopies>
}

/** What it needs to know of a world. */
export type WatchedWorld = Pick<
  World,
  'now' | 'elapsed' | 'furthestAhead' | 'lane' | 'trace' | 'covered' | 'guard'
>

type Item = Readonly<
  Record<string, { readonly N?: string; readonly S?: string; readonly SS?: readonly string[] }>
>

/** Follows the shard map of one table as the service stores it, and holds it against its rules and against the items. */
export class ShardMapWatch {
  readonly #world: WatchedWorld
  readonly #table: WorkloadTable
  readonly #shardMap: string
  readonly #options: WatchOptions
  readonly #keys = new Map<string, KeyWatch>()
  readonly #stored = new Set<string>()
  readonly #card: CardWatch
  changes = 0

  constructor(world: WatchedWorld, table: WorkloadTable, options: WatchOptions) {
    this.#options = options
    this.#world = world
    this.#table = table
    this.#shardMap = shardMapOf(table)
    this.#card = new CardWatch(world, table, this.#shardMap)
  }

  readonly observe = ({ process, operation, input, output }: ExecutedRequest): void => {
    if (output === undefined || (operation !== 'PutItem' && operation !== 'UpdateItem')) return
    const request = input as { readonly TableName?: string; readonly Item?: Item; readonly Key?: Item }
    if (request.TableName !== this.#shardMap) return
    const key = (request.Item ?? request.Key)?.[this.#table.partitionKey]?.S
    if (key === undefined || isIndexKey(key)) return
    const looked = isCardKey(key) ? this.#lookAtCard() : this.#look(process, key)
    looked.catch((error: unknown) => this.#world.guard(error))
  }

  /** The shard map's own name. */
  get table(): string {
    return this.#shardMap
  }

  /** What is known of a key. One that the shard map does not have has always had the initial count. */
  stateOf(key: string): KeyState {
    const watch = this.#keys.get(key)
    if (watch === undefined) {
      const never = Number.NEGATIVE_INFINITY
      const shards = this.#options.initialShards
      return { shards, seenAt: never, changedAt: never, cooldownFrom: never, changingSince: undefined }
    }
    const { seen, seenAt, changedAt, cooldownFrom } = watch
    const isChanging = seen.phase !== undefined || seen.readable > seen.shards
    const changingSince = isChanging ? changedAt : undefined
    return { shards: seen.shards, seenAt, changedAt, cooldownFrom, changingSince }
  }

  /** All keys with items in the table, or in the shard map. */
  keys(): Iterable<string> {
    return new Set([...this.#keys.keys(), ...this.#stored])
  }

  /** An item was stored: readers must look there. @throws Violation */
  checkCovered({ logicalKey, sort, shards }: StoredCopies): void {
    this.#stored.add(logicalKey)
    // Who finds no entry goes by the count that keys begin with.
    const readable = this.#keys.get(logicalKey)?.seen.readable ?? this.#options.initialShards
    for (const shard of shards) {
      if (shard <= readable) continue
      throw new Violation(
        'the history covers every shard that holds an item',
        `${logicalKey} ${sort} is in shard ${shard}, and readers look in ${readable}`,
        [logicalKey],
      )
    }
  }

  async #lookAtCard(): Promise<void> {
    await this.#card.look()
    for (const [key, { seen }] of this.#keys) this.#requireListed(key, seen)
  }

  #requireListed(key: string, seen: Seen): void {
    if (!isFirst(seen, this.#options.initialShards)) this.#card.requireListed(key)
  }

  async #look(process: Process, key: string): Promise<void> {
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
      requireFirst(key, seen, this.#options.initialShards)
      const never = Number.NEGATIVE_INFINITY
      const seenAt = this.#world.now
      this.#keys.set(key, { seen, seenAt, changedAt: never, cooldownFrom: never, hurried: UNCOUNTED })
      return
    }
    const before = watch.seen
    watch.seen = seen
    if (textOf(before) !== textOf(seen)) watch.seenAt = this.#world.now
    requireNextPhase(key, before, seen)
    this.#requireListed(key, seen)
    // An item that is written is held against what is known by then; here those are that were there before.
    if (seen.readable < before.readable)
      for (const copies of this.#options.itemsOf(key)) this.checkCovered(copies)
    this.#cover(before, seen)
    if (isChange(before, seen)) this.#changed(process, key, watch, before)
    if (seen.lastEntry !== before.lastEntry) watch.cooldownFrom = this.#world.now
    if (seen.entries === 1) watch.hurried = UNCOUNTED
    this.#world.trace.told('service', `${this.#shardMap} ${key}: ${textOf(before)} -> ${textOf(seen)}`)
  }

  #cover(before: Seen, seen: Seen): void {
    if (before.phase === 'announced' && seen.phase === 'moved') this.#world.covered('items begin to move')
    if (before.phase === 'moved' && seen.phase === 'draining') this.#world.covered('creations become plain')
    if (before.phase === 'draining' && seen.phase === undefined) this.#world.covered('a change settles')
    const isByPhases = before.phase !== undefined || seen.phase !== undefined
    if (!isByPhases && seen.readable < before.readable) this.#world.covered('a drain ends')
  }

  #changed(process: Process, key: string, watch: KeyWatch, before: Seen): void {
    this.changes += 1
    const { now, elapsed, furthestAhead } = this.#world
    const { cooldownMilliseconds, calendarMilliseconds, drift, isByHand, onChanged } = this.#options
    // Calendars are what the cooldown is counted by, in whole seconds, and two of them are apart by so much.
    const error = 2 * (calendarMilliseconds + drift * elapsed) + furthestAhead + 1_000
    const pause = Math.max(cooldownMilliseconds, SETTLING_MILLISECONDS * (1 - drift))
    const isHurried = now - watch.cooldownFrom < pause - error
    const to = targetOf(watch.seen)
    watch.changedAt = now
    onChanged(key, to)
    if (!isHurried) watch.hurried = 0
    else if (!isByHand(process, key, to)) watch.hurried += 1
    if (watch.hurried <= 0) return
    throw new Violation(
      'a count changes once a cooldown',
      `that of ${key} changed ${watch.hurried} times without one, from ${before.shards} to ${to} at last`,
      [key],
    )
  }
}

function seenOf(item: Item): Seen {
  const shards = Number(item.number_of_shards?.N)
  const history = (item.shard_history?.SS ?? []).map((entry) => entry.split(':').map(Number))
  const lastEntry = Math.max(...history.map(([at = 0]) => at))
  const isDraining = item.draining_since !== undefined && Number(item.draining_since.N) === lastEntry
  return {
    shards,
    readable: Math.max(shards, ...history.map(([, count = 0]) => count)),
    phase: item.phase?.S === 'moved' && isDraining ? 'draining' : item.phase?.S,
    from: Number(item.from_shards?.N ?? 0),
    to: Number(item.to_shards?.N ?? 0),
    entries: history.length,
    lastEntry,
  }
}

/** The count that the key has, or is about to have. */
function targetOf({ shards, phase, to }: Seen): number {
  return phase === undefined ? shards : to
}

/** A key that is seen for the first time has the count that keys begin with, and no past. @throws Violation */
function requireFirst(key: string, seen: Seen, initialShards: number): void {
  if (isFirst(seen, initialShards)) return
  throw new Violation('a key begins with the initial count', `${key} begins with ${textOf(seen)}`, [key])
}

function isFirst({ shards, readable, phase }: Seen, initialShards: number): boolean {
  return phase === undefined && shards === initialShards && readable === initialShards
}

/** A change begins here: the count in use is another one, or will be. */
function isChange(before: Seen, seen: Seen): boolean {
  if (seen.phase === undefined && before.phase === undefined) return before.shards !== seen.shards
  return before.phase === undefined && seen.phase !== undefined
}

/** *settled* -> *announced* -> *moved* -> *draining* -> *settled*, between the same two counts. @throws Violation */
function requireNextPhase(key: string, before: Seen, seen: Seen): void {
  const isSame = before.from === seen.from && before.to === seen.to
  const isAllowed =
    (before.phase === seen.phase &&
      (seen.phase === undefined || (isSame && before.shards === seen.shards))) ||
    (before.phase === undefined && seen.phase === 'announced' && seen.shards === before.shards) ||
    (before.phase === 'announced' && seen.phase === 'moved' && isSame && seen.shards === seen.to) ||
    (before.phase === 'moved' && seen.phase === 'draining' && isSame && seen.shards === before.shards) ||
    (before.phase === 'draining' && seen.phase === undefined && seen.shards === before.to)
  if (isAllowed) return
  throw new Violation('no phase is skipped', `${key} went from ${textOf(before)} to ${textOf(seen)}`, [key])
}

function textOf({ shards, readable, phase, from, to }: Seen): string {
  return phase === undefined ? `${shards} of ${readable}` : `${phase} ${from} -> ${to}`
}
