import { UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { boundedClient, NoResponse } from '../../attempts/bounded-client.js'
import type { NextRun } from '../../bounded/next-run.js'
import { isRefusedByCondition } from '../../sdk/condition-refusal.js'
import { scopeOf } from '../../sdk/throttle.js'
import { readItem } from '../read-items.js'
import type { Refusal } from '../refusal.js'
import { send } from '../send.js'
import { isTransient } from '../sending/is-transient.js'
import type { Sender } from '../sending/pattern-client.js'
import { type Patience, untilTaken } from '../until-taken.js'
import { raiseGeneration } from './change-head.js'
import { type ClosedShard, generationThatOpens } from './closed-shard.js'
import { CounterItems, type Head, headOf } from './counter-items.js'
import type { ParsedCounterOptions } from './counter-options.js'
import { andMadeBy, headAsRead, missesCounts } from './head-identity.js'

/** What a process knows of the shards of one counter, shared by all that count in it. */
export interface KnownShards {
  head: Head | undefined
  readAt: number
  /** When this process began to use the number of shards. */
  usedSince: number
  /** First attempts since then, and those of them that were refused. */
  attempts: number
  refusals: number
  reading: Promise<Head> | undefined
  /** Readings of the head after closed shards refused counts, and the shards that the next one is for. */
  readonly looks: NextRun<Error | undefined>
  readonly refusedBy: ClosedShard[]
  growing: boolean
}

/** After a refusal the head is read again, at most so often. */
const REFRESH_MILLISECONDS = 500

/** How long a request of the head is tried again while counts wait for it that could go on without. */
const PATIENCE_MILLISECONDS = 5_000

/** Counts wait a little longer than that for a reading that hangs, so that one that is refused fails with its own error. */
const GRACE_MILLISECONDS = 1_000

/** A head that was made again is restored so often in a row at most. */
const MAX_RESTORES = 10

/** One growth multiplies the shards by this at least, and at most. */
const LEAST_FACTOR = 2
const MOST_FACTOR = 8

/** More shards than the measured load needs, because some share a partition. */
const ROOM = 1.5

/**
 * Knows how many shards a counter has, and gives it more when writers are refused.
 *
 * The number is in an item of the table, so that a counter needs neither a shard map nor an option. A process may use an old number:
 * fewer shards are shards all the same.
 */
export class CounterShards {
  /** Its requests end. Otherwise one whose answer is lost would stop all counts of the process. */
  readonly #db: Sender
  readonly #options: ParsedCounterOptions
  readonly #patience: ParsedCounterOptions
  readonly #items: CounterItems
  readonly #known: KnownShards

  constructor(db: Sender, options: ParsedCounterOptions, known: KnownShards) {
    this.#db = boundedClient(db, options.clock)
    this.#options = options
    this.#patience = {
      ...options,
      timeoutMilliseconds: Math.min(options.timeoutMilliseconds, PATIENCE_MILLISECONDS),
    }
    this.#items = new CounterItems(options)
    this.#known = known
  }

  /** The cached head, which may be old. */
  async view(): Promise<Head> {
    const known = this.#known
    const { head, readAt } = known
    const age = this.#options.clock.now() - readAt
    if (head !== undefined && age <= this.#options.cacheMilliseconds) return head
    known.reading ??= this.#opened().finally(() => {
      known.reading = undefined
    })
    if (head === undefined) return known.reading
    return known.reading.catch((error: unknown) => {
      if (isTransient(error)) return head
      throw error
    })
  }

  /**
   * Reads the head as it is now, for what must not be wrong.
   *
   * @param refusedBy the shard that refused a count because it is closed. If writers should use it, it is opened
   * @returns why this is not possible for now. Other shards may be open, and the next call tries again
   */
  refresh(refusedBy?: ClosedShard): Promise<Error | undefined> {
    const known = this.#known
    if (refusedBy !== undefined) known.refusedBy.push(refusedBy)
    return known.looks.join(() => this.#lookInTime())
  }

  async #lookInTime(): Promise<Error | undefined> {
    const longest = this.#patience.timeoutMilliseconds + GRACE_MILLISECONDS
    const late = new AbortController()
    const done = new AbortController()
    this.#options.clock.sleep(longest, done.signal, { mayEndProcess: true }).then(
      () => late.abort(),
      () => {},
    )
    try {
      await this.#look(late.signal)
      return undefined
    } catch (error) {
      if (late.signal.aborted) return new NoResponse(longest)
      if (isTransient(error)) return error as Error
      throw error
    } finally {
      done.abort()
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    const refusedBy = this.#known.refusedBy.splice(0)
    const head = await this.#readNow(true, signal)
    const generation = generationThatOpens(head, refusedBy)
    if (generation === undefined) return
    const options = { ...this.#patience, signal }
    await raiseGeneration({ db: this.#db, options, items: this.#items }, head, generation)
    await this.#readNow(true, signal)
  }

  counted(): void {
    this.#known.attempts += 1
  }

  /** Looks whether other processes have added shards, and adds some if they have not. It never fails: counting continues without them. */
  async refused(view: Head, refusal: Refusal, isFirstAttempt: boolean): Promise<void> {
    const known = this.#known
    if (isFirstAttempt) {
      known.attempts += 1
      known.refusals += 1
    }
    // The whole table is throttled, which more shards would not change.
    if (refusal.kind === 'throttled' && scopeOf(refusal.reasons) === 'table') return
    const now = this.#options.clock.now()
    if (now - known.readAt < REFRESH_MILLISECONDS) return
    try {
      const head = await this.#readNow(true)
      if (head.generation === view.generation) await this.#grow(head, now)
    } catch {
      // The next refusal tries again.
    }
  }

  async #grow(head: Head, now: number): Promise<void> {
    const { cooldownMilliseconds, max } = this.#options
    const known = this.#known
    const isSettled =
      now - known.usedSince >= cooldownMilliseconds ||
      (head.changedAt <= now && now - head.changedAt >= cooldownMilliseconds)
    if (!isSettled || known.growing || head.shards >= max) return
    known.growing = true
    try {
      const accepted = Math.max(1, known.attempts - known.refusals)
      const factor = Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, (ROOM * known.attempts) / accepted))
      await this.#change(head, Math.min(max, Math.ceil(head.shards * factor)))
      await this.#readNow(true)
    } finally {
      known.growing = false
    }
  }

  async #change(
    head: Head,
    shards: number,
    generation = head.generation + 1,
    signal?: AbortSignal,
  ): Promise<void> {
    const { table, random, clock } = this.#options
    const asRead = headAsRead(head)
    const id = andMadeBy(head, random)
    await send(
      this.#db,
      new UpdateItemCommand({
        TableName: table,
        Key: this.#items.head,
        UpdateExpression: `SET shards = :shards, highest = :highest, generation = :next, changed_at = :now, steps = :steps${id.text}`,
        ConditionExpression: asRead.text,
        ExpressionAttributeValues: {
          ':shards': { N: String(shards) },
          ':highest': { N: String(Math.max(shards, head.highest)) },
          ':next': { N: String(generation) },
          ':now': { N: String(Math.floor(clock.now())) },
          ':steps': { L: [...head.steps, shards].map((step) => ({ N: String(step) })) },
          ...asRead.values,
          ...id.values,
        },
      }),
      signal,
    )
  }

  /** A counter that begins with several shards says so before anybody uses them, so that every reader knows. */
  async #opened(): Promise<Head> {
    const { initial } = this.#options
    const head = await this.#readNow(false)
    if (head.generation > 0 || initial === 1) return head
    try {
      await untilTaken(this.#options, () => this.#change(head, initial))
    } catch (error) {
      if (!isRefusedByCondition(error)) throw error
    }
    return this.#readNow(true)
  }

  async #readNow(isConsistent: boolean, signal?: AbortSignal): Promise<Head> {
    const { table, clock } = this.#options
    const known = this.#known
    known.readAt = clock.now()
    const before = known.head
    // The first reading has no number to go on with.
    const patience: Patience = { ...(before === undefined ? this.#options : this.#patience), signal }
    const head = headOf(await readItem(this.#db, patience, table, this.#items.head, isConsistent))
    if (before === undefined || !missesCounts(head, before)) return this.#learn(head)
    // An eventually consistent read may come from a replica that is behind.
    return isConsistent ? this.#restored(head, before, signal) : this.#readNow(true, signal)
  }

  /**
   * The head was made again, or its table. Processes have counted since then in the shards that they knew, which readers of the new head
   * would never read. So it gets at least as many, and a generation that all of them take for newer.
   */
  async #restored(head: Head, before: Head, signal: AbortSignal | undefined): Promise<Head> {
    const patience: Patience = { ...this.#patience, signal }
    let now = head
    // Another process may change it first, and know less.
    for (let tries = 0; tries < MAX_RESTORES && missesCounts(now, before); tries++) {
      const seen = { ...now, highest: Math.max(now.highest, before.highest) }
      const shards = Math.max(now.shards, before.shards)
      const generation = Math.max(now.generation, before.generation) + 1
      try {
        await untilTaken(patience, () => this.#change(seen, shards, generation, signal))
      } catch (error) {
        if (!isRefusedByCondition(error)) throw error
      }
      now = headOf(await readItem(this.#db, patience, this.#options.table, this.#items.head))
    }
    return this.#learn(now)
  }

  #learn(head: Head): Head {
    const { clock } = this.#options
    const known = this.#known
    // A reading that began earlier may end later, and others may change a head that was made again. Then the next reading tries again.
    if (known.head !== undefined && missesCounts(head, known.head)) return known.head
    if (known.head?.generation !== head.generation) {
      known.usedSince = clock.now()
      known.attempts = 0
      known.refusals = 0
    }
    known.head = head
    return head
  }
}
