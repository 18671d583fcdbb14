import type { Clock, Random } from '@isotherm/runtime'
import { backoffMilliseconds } from '../../attempts/backoff.js'
import type { Emit, IsothermEvent } from '../../events/event.js'
import type { LogicalKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { fixedView, type ShardView } from '../states/shard-view.js'
import type { ShardViews } from '../states/shard-views.js'
import { isLasting, isOutage, unavailable } from './outage-error.js'

/** How often a process asks a shard map that does not answer, while requests continue without it. */
const PROBE_MILLISECONDS = 1_000

/**
 * For so long after a probe was due, an outage is taken for granted. A process that is seldom used, or suspended between two requests as in
 * AWS Lambda, would otherwise never learn that it is over: its requests end before a probe does.
 */
const BELIEVED_MILLISECONDS = 1_000

/** The least time for an answer. `retryDeadline`, which may be zero, limits how long a request is repeated. */
const ANSWER_MILLISECONDS = 10_000

/** The shortest time between two events of one kind. */
const EVENT_MILLISECONDS = 10_000

type Action = Extract<IsothermEvent, { type: 'shard-map-unavailable' }>['action']

interface ViewsInOutageOptions {
  readonly table: Pick<
    ShardedTable,
    'name' | 'shardMap' | 'cacheMilliseconds' | 'retryMilliseconds' | 'staleReadMilliseconds'
  >
  readonly clock: Clock
  readonly random: Random
  readonly emit: Emit
  /** Whether a new item may go to any shard, as with a random suffix. */
  readonly isRandom: boolean
  readonly views: ShardViews & {
    /** The last view of a key, which may have expired. */
    lastView(key: LogicalKey): ShardView | undefined
  }
}

/** The shard map does not answer. */
interface Outage {
  readonly since: number
  readonly error: unknown
  readonly nextProbe: number
}

/**
 * The views of a table whose shard map may be unavailable: denied, throttled, deleted, emptied, or out of reach.
 *
 * - A new item of a random key goes to its first shard. That shard is never retired, so readers find the item.
 * - A read that need not be consistent uses the last view, for as long as `staleReads` allows.
 * - Any other request waits, until `retryDeadline`, and then fails.
 *
 * A process that has never read the shard map does none of this for an error that does not pass by itself: its options may be wrong.
 */
export class ViewsInOutage implements ShardViews {
  readonly #options: ViewsInOutageOptions
  readonly #emitted = new Map<Action, number>()
  #outage: Outage | undefined
  #hasAnswered = false

  constructor(options: ViewsInOutageOptions) {
    this.#options = options
  }

  known(key: LogicalKey): number | undefined {
    return this.#options.views.known(key)
  }

  forWrite(key: LogicalKey): ShardView | Promise<ShardView> {
    const { views, isRandom } = this.#options
    const ask = () => views.forWrite(key)
    if (!isRandom) return this.#orWait(ask)
    return this.#or(key, ask, (error) => {
      this.#emit('append-to-first-shard', error)
      return fixedView(1)
    })
  }

  forRead(
    key: LogicalKey,
    how: { readonly consistent: boolean; readonly atLeast?: number },
  ): ShardView | Promise<ShardView> {
    const { views } = this.#options
    const ask = () => views.forRead(key, how)
    if (how.consistent) return this.#orWait(ask)
    return this.#or(key, ask, (error) => {
      const stale = this.#stale(key)
      if (stale !== undefined) this.#emit('read-from-cache', error)
      return stale
    })
  }

  guess(key: LogicalKey): ShardView | undefined {
    return this.#outage === undefined ? this.#options.views.guess(key) : undefined
  }

  /** Without a card, the request asks for a view in another way, and waits for it or fails by that one's rules. */
  oneShard(key: LogicalKey): ShardView | undefined | Promise<ShardView | undefined> {
    const view = this.#options.views.oneShard(key)
    if (!(view instanceof Promise)) return view
    const answer = this.#inTime(view, PROBE_MILLISECONDS).then(
      (read) => this.#answered(read),
      () => undefined,
    )
    return this.#outage === undefined ? answer : undefined
  }

  /** Items are shown without the shard map, as long as nothing is known to be wrong. */
  checkTable(key: LogicalKey): Promise<unknown> | undefined {
    const ask = () => this.#options.views.checkTable(key)
    if (this.#isBelieved()) {
      if (this.#isProbeDue()) this.#probe(ask)
      return undefined
    }
    const check = ask()
    return (
      check &&
      this.#inTime(check, this.#patience).then(
        (read) => this.#answered(read),
        (error: unknown) => this.#failed(error),
      )
    )
  }

  async viewNow(key: LogicalKey): Promise<ShardView> {
    return this.#orWait(() => this.#options.views.viewNow(key))
  }

  /** Asks for a view. If there is none, returns the substitute, or else waits for one. */
  #or(
    key: LogicalKey,
    ask: () => ShardView | Promise<ShardView>,
    substitute: (error: unknown) => ShardView | undefined,
  ): ShardView | Promise<ShardView> {
    const { clock, views } = this.#options
    if (this.#outage !== undefined && this.#hasAnswered) {
      const last = views.lastView(key)
      if (last !== undefined && last.validUntil > clock.now()) return last
      // The request does not wait for the next probe.
      const found = this.#isBelieved() ? substitute(this.#outage.error) : undefined
      if (found !== undefined) {
        if (this.#isProbeDue()) this.#probe(ask)
        return found
      }
    }
    return this.#asked(ask, substitute)
  }

  #orWait(ask: () => ShardView | Promise<ShardView>): ShardView | Promise<ShardView> {
    return this.#asked(ask, () => undefined)
  }

  #asked(
    ask: () => ShardView | Promise<ShardView>,
    substitute: (error: unknown) => ShardView | undefined,
  ): ShardView | Promise<ShardView> {
    const began = this.#options.clock.now()
    const view = ask()
    if (!(view instanceof Promise)) {
      this.#hasAnswered = true
      return view
    }
    return this.#inTime(view, this.#patience).then(
      (read) => this.#answered(read),
      (error: unknown) => {
        this.#failed(error)
        return (this.#hasAnswered ? substitute(error) : undefined) ?? this.#wait(ask, error, began)
      },
    )
  }

  /** Whether the shard map is known not to answer, by a request of late. */
  #isBelieved(): boolean {
    return (
      this.#outage !== undefined && this.#options.clock.now() < this.#outage.nextProbe + BELIEVED_MILLISECONDS
    )
  }

  #isProbeDue(): boolean {
    return this.#outage !== undefined && this.#options.clock.now() >= this.#outage.nextProbe
  }

  /** How long a request waits for an answer: not so long if the last one did not come. */
  get #patience(): number {
    return this.#outage === undefined ? this.#answerMilliseconds : PROBE_MILLISECONDS
  }

  get #answerMilliseconds(): number {
    return Math.max(this.#options.table.retryMilliseconds, ANSWER_MILLISECONDS)
  }

  #probe(ask: () => unknown): void {
    const { clock } = this.#options
    if (this.#outage !== undefined) {
      this.#outage = { ...this.#outage, nextProbe: clock.now() + PROBE_MILLISECONDS }
    }
    const view = ask()
    if (!(view instanceof Promise)) return
    view.then(
      (read) => this.#answered(read),
      (error: unknown) => {
        // The request that sent the probe continues without it. If the options are refused now, the next request fails.
        if (isOutage(error)) this.#failed(error)
        else this.#outage = undefined
      },
    )
  }

  /** Asks again until the shard map answers, or the time for a request is over. */
  async #wait(ask: () => ShardView | Promise<ShardView>, first: unknown, began: number): Promise<ShardView> {
    const { clock, random, table } = this.#options
    if (!this.#hasAnswered && isLasting(first)) throw first
    this.#emit('wait', first)
    const deadline = began + table.retryMilliseconds
    let error = first
    for (let round = 0; ; round++) {
      const milliseconds = backoffMilliseconds(random, round)
      if (clock.now() + milliseconds > deadline) throw unavailable(table, error)
      await clock.sleep(milliseconds)
      try {
        const view = ask()
        const left = began + this.#answerMilliseconds - clock.now()
        return this.#answered(view instanceof Promise ? await this.#inTime(view, left) : view)
      } catch (again) {
        this.#failed(again)
        error = again
      }
    }
  }

  /**
   * What the shard map answers within the time. A client without a timeout of its own may wait for a connection for ever.
   * @throws NoAnswer
   */
  #inTime<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
    const { clock, table } = this.#options
    const answered = new AbortController()
    const late = steps(clock, milliseconds, answered.signal).then(
      () => {
        // The request goes on without it, but an answer that is merely slow ends the outage.
        answer.then(
          (read) => this.#answered(read),
          () => {},
        )
        return Promise.reject(new NoAnswer(table.shardMap))
      },
      // There is an answer, or the clock cannot sleep.
      () => answer,
    )
    return Promise.race([answer, late]).finally(() => answered.abort())
  }

  #stale(key: LogicalKey): ShardView | undefined {
    const { clock, table, views } = this.#options
    const last = views.lastView(key)
    if (last === undefined) return undefined
    const end = last.validUntil + table.staleReadMilliseconds
    return clock.now() < end
      ? { ...last, validUntil: Math.min(end, clock.now() + table.cacheMilliseconds) }
      : undefined
  }

  #answered<Read>(read: Read): Read {
    this.#hasAnswered = true
    const outage = this.#outage
    if (outage === undefined) return read
    this.#outage = undefined
    // Nobody was told of an outage in which nothing was done in another way.
    if (this.#emitted.size === 0) return read
    this.#emitted.clear()
    const { clock, table, emit } = this.#options
    const at = clock.now()
    const unavailableMilliseconds = at - outage.since
    emit({
      type: 'shard-map-available',
      table: table.name,
      shardMap: table.shardMap,
      unavailableMilliseconds,
      at,
    })
    return read
  }

  /** @throws the error, if it is not about whether the shard map answers */
  #failed(error: unknown): void {
    if (!isOutage(error)) throw error
    const now = this.#options.clock.now()
    this.#outage = { since: this.#outage?.since ?? now, error, nextProbe: now + PROBE_MILLISECONDS }
  }

  #emit(action: Action, error: unknown): void {
    const { clock, table, emit } = this.#options
    const at = clock.now()
    if (at < (this.#emitted.get(action) ?? Number.NEGATIVE_INFINITY) + EVENT_MILLISECONDS) return
    this.#emitted.set(action, at)
    emit({ type: 'shard-map-unavailable', table: table.name, shardMap: table.shardMap, action, error, at })
  }
}

/** A process that was suspended meanwhile has waited for one of these steps only: its answer may be there already. */
const STEPS = 10

async function steps(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  for (let step = 0; step < STEPS; step++) {
    await clock.sleep(milliseconds / STEPS, signal, { mayEndProcess: true })
  }
}

/** The shard map has not answered for as long as a request waits. */
class NoAnswer extends Error {
  override readonly name = 'TimeoutError'

  constructor(shardMap: string) {
    super(`The shard map ${shardMap} did not answer.`)
  }
}
