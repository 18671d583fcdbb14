import type { ExecutedRequest } from '../world/network.js'
import type { Process } from '../world/process.js'
import type { StoredCopies } from '../world/stored-items.js'
import { Violation } from '../world/violation.js'
import { shardMapOf, type WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { CardWatch, isCardKey } from './card-watch.js'
import { isIndexKey } from './index-count-watch.js'
import { readNow } from './read-now.js'
import {
  isChange,
  isChanging,
  isSame,
  requireNextPhase,
  type Seen,
  type StoredState,
  seenOf,
  targetOf,
  textOf,
  unchanged,
} from './seen-state.js'

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

/** A count as it was said to be from some time on. */
interface Said extends Pick<Seen, 'shards' | 'readable'> {
  readonly at: number
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

/** Where the history was cut and has only one change, it is unknown whether the next one comes too early: it is not counted. */
const UNCOUNTED = -1

export interface WatchOptions {
  /** The count of a key that the shard map does not have yet. */
  readonly initialShards: number
  readonly cooldownMilliseconds: number
  /** Whether more shards can help a key at all: not where the whole table has a limit that is far below those of its partitions. */
  readonly mayGrow: boolean
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
  'now' | 'elapsed' | 'furthestAhead' | 'lane' | 'scheduler' | 'trace' | 'covered' | 'guard'
>

/** Follows the shard map of one table as the service stores it, and holds it against its rules and against the items. */
export class ShardMapWatch {
  readonly #world: WatchedWorld
  readonly #table: WorkloadTable
  readonly #shardMap: string
  readonly #options: WatchOptions
  readonly #keys = new Map<string, KeyWatch>()
  readonly #stored = new Set<string>()
  /** Keys whose items repeat the initial state, or did. */
  readonly #repeating = new Set<string>()
  readonly #card: CardWatch
  /** What holds for every key without a count of its own. */
  #initial: Seen
  #initialAtRest: Seen
  #initialAt = Number.NEGATIVE_INFINITY
  /** What each key was said to have, one after the other. */
  readonly #said = new Map<string, Said[]>()
  readonly #initialSaid: Said[]
  changes = 0

  constructor(world: WatchedWorld, table: WorkloadTable, options: WatchOptions) {
    this.#options = options
    this.#world = world
    this.#table = table
    this.#shardMap = shardMapOf(table)
    this.#card = new CardWatch(world, table, this.#shardMap)
    this.#initial = unchanged(options.initialShards)
    this.#initialAtRest = this.#initial
    this.#initialSaid = [{ ...this.#initial, at: Number.NEGATIVE_INFINITY }]
  }

  readonly observe = ({ process, operation, input, output }: ExecutedRequest): void => {
    if (output === undefined || (operation !== 'PutItem' && operation !== 'UpdateItem')) return
    const request = input as {
      readonly TableName?: string
      readonly Item?: StoredState
      readonly Key?: StoredState
    }
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

  /** What is known of a key. One without a count of its own has the initial one. */
  stateOf(key: string): KeyState {
    const watch = this.#keys.get(key)
    const never = Number.NEGATIVE_INFINITY
    const initial = {
      seen: this.#initial,
      seenAt: this.#initialAt,
      changedAt: this.#initialAt,
      cooldownFrom: never,
    }
    const { seen, seenAt, changedAt, cooldownFrom } = watch ?? initial
    const changingSince = isChanging(seen) ? changedAt : undefined
    return { shards: seen.shards, seenAt, changedAt, cooldownFrom, changingSince }
  }

  /** The most shards that a process may write to if it has read the shard map since then, and those that items may be in. */
  mostSince(key: string, since: number): Pick<Seen, 'shards' | 'readable'> {
    const said = [...lastSince(this.#initialSaid, since), ...lastSince(this.#said.get(key) ?? [], since)]
    return {
      shards: Math.max(...said.map(({ shards }) => shards)),
      readable: Math.max(...said.map(({ readable }) => readable)),
    }
  }

  #say(key: string, { shards, readable }: Seen): void {
    const said = this.#said.get(key)
    const now = { shards, readable, at: this.#world.now }
    if (said === undefined) this.#said.set(key, [now])
    else said.push(now)
  }

  /** All keys with items in the table, or in the shard map. */
  keys(): Iterable<string> {
    return new Set([...this.#keys.keys(), ...this.#stored])
  }

  /** An item was stored: readers must look there. @throws Violation */
  checkCovered({ logicalKey, sort, shards }: StoredCopies): void {
    this.#stored.add(logicalKey)
    // Who finds no entry goes by the count that keys begin with.
    const { readable } = this.#keys.get(logicalKey)?.seen ?? this.#initial
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
    const before = this.#initial
    const seen = this.#card.initial ?? before
    if (textOf(before) !== textOf(seen)) this.#initialChanged(before, seen)
    for (const [key, watch] of this.#keys) this.#requireListed(key, watch.seen)
  }

  /** The count of all keys without one of their own goes through the same phases as that of one key. */
  #initialChanged(before: Seen, seen: Seen): void {
    this.#initial = seen
    this.#initialSaid.push({ ...seen, at: this.#world.now })
    if (!isChanging(seen)) this.#initialAtRest = seen
    this.#initialAt = this.#world.now
    requireNextPhase('the initial count', before, seen)
    if (seen.phase === undefined && before.phase === undefined && seen.shards > before.readable) {
      throw new Violation('readers look in new shards first', `${textOf(before)} became ${textOf(seen)}`)
    }
    for (const key of this.#stored) {
      if (this.#keys.has(key)) continue
      for (const copies of this.#options.itemsOf(key)) this.checkCovered(copies)
    }
    if (isChanging(before) && !isChanging(seen)) this.#world.covered('a table is migrated')
    this.#world.trace.told('service', `${this.#shardMap} initial: ${textOf(before)} -> ${textOf(seen)}`)
  }

  #requireListed(key: string, seen: Seen): void {
    if (seen.isOwn && !isSame(seen, this.#initial)) this.#card.requireListed(key)
  }

  async #look(process: Process, key: string): Promise<void> {
    const { output } = await readNow(this.#world, {
      TableName: this.#shardMap,
      Key: { [this.#table.partitionKey]: { S: key } },
    })
    const { Item } = output as { readonly Item?: StoredState }
    if (Item === undefined) return
    const seen = seenOf(Item)
    const known = this.#keys.get(key)
    if (!seen.isOwn) {
      this.#repeating.add(key)
      if (known !== undefined) this.#cameToRest(key, known.seen)
      return
    }
    if (known === undefined && !this.#repeating.has(key) && !isSame(seen, this.#initial)) {
      throw new Violation('a key begins with the initial count', `${key} begins with ${textOf(seen)}`, [key])
    }
    const never = Number.NEGATIVE_INFINITY
    const watch = known ?? {
      // A change of the key may have begun right before that of all others, and is written while nothing has moved yet.
      seen: this.#initial.phase === 'announced' ? this.#initialAtRest : this.#initial,
      seenAt: this.#initialAt,
      changedAt: never,
      cooldownFrom: never,
      hurried: UNCOUNTED,
    }
    this.#keys.set(key, watch)
    const before = watch.seen
    watch.seen = seen
    this.#say(key, seen)
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

  /** A key has the initial count again, for good or for bad. @throws Violation */
  #cameToRest(key: string, before: Seen): void {
    this.#keys.delete(key)
    if (!isSame(before, this.#initial)) {
      const seen = `${key} had ${textOf(before)}, and the others have ${textOf(this.#initial)}`
      throw new Violation('a key without a count of its own has the initial one', seen, [key])
    }
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
    const to = targetOf(watch.seen)
    // Calendars are what the cooldown is counted by, in whole seconds, and two of them are apart by so much.
    const error = 2 * (calendarMilliseconds + drift * elapsed) + furthestAhead + 1_000
    const pause = Math.max(cooldownMilliseconds, SETTLING_MILLISECONDS * (1 - drift))
    if (!this.#options.mayGrow && to > before.shards && !isByHand(process, key, to)) {
      const seen = `${key} has ${before.shards} shards, and gets ${to}`
      throw new Violation('the limit of a table adds no shards', seen, [key])
    }
    const isHurried = now - watch.cooldownFrom < pause - error
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

/** Those that held at some time since then. */
function lastSince(said: readonly Said[], since: number): readonly Said[] {
  let first = said.length - 1
  while (first > 0 && (said[first]?.at ?? 0) > since) first -= 1
  return said.slice(Math.max(0, first))
}
