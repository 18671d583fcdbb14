import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { allowManyListeners } from '@isotherm/runtime'
import { actionOfCaller, type CallerAction } from '../caller-actions.js'
import { clientMarshalling, marshalledAs } from '../client-marshalling.js'
import { refusalOf } from '../refusal.js'
import { isOfCredentials } from '../sending/is-of-credentials.js'
import { isMistake } from './claim-failure.js'
import { type Claimed, claimOperations, firstSpread, type Leased } from './claim-operation.js'
import { type Ending, endOperation } from './end-operation.js'
import { writesOf } from './handler-result.js'
import { changeLeased, keepLease } from './keep-lease.js'
import type { QueueTarget } from './queue-items.js'
import { reasonOf, wornReason } from './reasons.js'

/** An operation as its handler gets it. */
export interface Operation<Payload> {
  readonly id: string
  readonly payload: Payload
  readonly entity: string | undefined
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Aborted when the lease is lost, or the worker stops and waits no longer. What the handler returns then is not written. */
  readonly signal: AbortSignal
}

/**
 * Does the work of an operation. The writes that it returns are carried out in one transaction with the mark that the operation is done, so
 * they take effect once. It returns a list of at most 98 writes, in the form of the client, or nothing. Any other result fails the attempt.
 * Whatever else the handler does may be done more than once.
 */
export type Handler<Payload> =
  | ((operation: Operation<Payload>) => Promise<readonly CallerAction[] | undefined>)
  | ((operation: Operation<Payload>) => Promise<void>)

/** What a worker has done. */
export interface WorkReport {
  readonly done: number
  /** Attempts that failed. */
  readonly failed: number
  readonly dead: number
  /** Operations that were given back because the worker was stopped, or whose lease was lost. */
  readonly returned: number
}

/** How a worker works, with all defaults. */
export interface Shift {
  readonly concurrency: number
  readonly signal: AbortSignal
  readonly pollMilliseconds: number
  readonly stopMilliseconds: number
  readonly untilEmpty: boolean
}

/** The mean wait after a claim that failed, unless that between two looks is shorter. */
const MOST_PAUSE_MILLISECONDS = 1_000

/** The index usually shows what follows an operation within a second. */
const INDEX_MILLISECONDS = 5_000

/** Works operations off until the signal aborts, or until there is nothing due. */
export class Worker<Payload> {
  readonly #target: QueueTarget
  readonly #handler: Handler<Payload>
  readonly #shift: Shift
  readonly #running = new Set<Promise<void>>()
  readonly #spread = firstSpread()
  /** Aborted when the worker waits for its handlers no longer. */
  readonly #over = new AbortController()
  /** When the first claim began since which none has succeeded. */
  #failingSince: number | undefined
  /** When the first claim failed for want of valid credentials since which no claim has ended in another way. */
  #withoutCredentialsSince: number | undefined
  /** Entities of which this worker has made an operation due, and until when the index may not show it. */
  readonly #followed = new Map<string, number>()
  readonly #counts = { done: 0, failed: 0, dead: 0, returned: 0 }

  constructor(target: QueueTarget, handler: Handler<Payload>, shift: Shift) {
    this.#target = target
    this.#handler = handler
    this.#shift = shift
    // Every operation in progress listens to it.
    allowManyListeners(this.#over.signal)
  }

  async run(): Promise<WorkReport> {
    try {
      await this.#claimAndStart()
    } finally {
      // Also after an error: a handler that ran on would write for a worker that has ended.
      await this.#finish()
    }
    return this.#counts
  }

  async #claimAndStart(): Promise<void> {
    const { signal, concurrency, untilEmpty, pollMilliseconds } = this.#shift
    const { random } = this.#target.options
    while (!signal.aborted) {
      const free = concurrency - this.#running.size
      if (free === 0) {
        // Not for the handlers alone, which may run on for long after the signal.
        await this.#pause(pollMilliseconds)
        continue
      }
      const claimed = await this.#claim(free)
      for (const one of claimed?.leased ?? []) this.#start(one)
      if (claimed !== undefined && claimed.leased.length > 0) continue
      if (claimed?.isEmpty && untilEmpty && this.#running.size === 0 && !this.#awaitsMore()) return
      const wait =
        claimed === undefined ? Math.min(pollMilliseconds, MOST_PAUSE_MILLISECONDS) : pollMilliseconds
      await this.#pause(wait * (0.5 + random.next()))
    }
  }

  /**
   * An index that is throttled, or a network that fails, is no reason to stop: there is always a next time. Credentials have the time of
   * `timeout` to be refreshed, however long other errors came before. A worker that ends when nothing is due has only that time for all errors
   * together, because it does not know whether anything is due.
   *
   * @returns `undefined` if nothing could be claimed
   */
  async #claim(free: number): Promise<Claimed | undefined> {
    const { clock, timeoutMilliseconds } = this.#target.options
    const from = clock.now()
    try {
      const claimed = await claimOperations(this.#target, free, this.#spread)
      this.#failingSince = undefined
      this.#withoutCredentialsSince = undefined
      return claimed
    } catch (error) {
      this.#failingSince ??= from
      // Not since the claim began, which may have been throttled until now.
      this.#withoutCredentialsSince = isOfCredentials(error)
        ? (this.#withoutCredentialsSince ?? clock.now())
        : undefined
      const since = this.#shift.untilEmpty ? this.#failingSince : this.#withoutCredentialsSince
      const isLate = since !== undefined && clock.now() - since >= timeoutMilliseconds
      if (isMistake(error) || isLate) throw error
      return undefined
    }
  }

  /** Whether the index may soon show what it does not show yet. */
  #awaitsMore(): boolean {
    const now = this.#target.options.clock.now()
    for (const [entity, until] of this.#followed) if (now >= until) this.#followed.delete(entity)
    return this.#followed.size > 0
  }

  #start(leased: Leased): void {
    this.#followed.delete(leased.entity ?? '')
    const running = this.#workOff(leased).finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Until something ends, or so long. */
  async #pause(milliseconds: number): Promise<void> {
    const { clock } = this.#target.options
    const enough = new AbortController()
    const onAbort = () => enough.abort()
    this.#shift.signal.addEventListener('abort', onAbort, { once: true })
    if (this.#shift.signal.aborted) enough.abort()
    const slept = clock.sleep(milliseconds, enough.signal).catch(() => {})
    await Promise.race([slept, ...this.#running])
    this.#shift.signal.removeEventListener('abort', onAbort)
    enough.abort()
  }

  /** Handlers that run may end; what is not done in time is given back. */
  async #finish(): Promise<void> {
    const { clock } = this.#target.options
    const enough = new AbortController()
    const late = clock.sleep(this.#shift.stopMilliseconds, enough.signal).then(
      () => this.#over.abort(new Error('The worker was stopped.')),
      () => {},
    )
    await Promise.all(this.#running)
    enough.abort()
    await late
  }

  async #workOff(leased: Leased): Promise<void> {
    const { maxAttempts } = this.#target.options
    // Not AbortSignal.any: Node may collect such a signal while somebody still waits for it.
    const stop = new AbortController()
    const onOver = () => stop.abort(this.#over.signal.reason)
    this.#over.signal.addEventListener('abort', onOver, { once: true })
    const ended = new AbortController()
    const kept = keepLease(this.#target, leased, ended.signal).then(() =>
      stop.abort(new Error('The lease was lost.')),
    )
    try {
      if (leased.attempts > maxAttempts) await this.#end(leased, { kind: 'dead', reason: wornReason(leased) })
      else await this.#attempt(leased, stop.signal)
    } catch {
      // Nothing is known to be written. The lease will pass to another worker.
      this.#counts.returned += 1
    } finally {
      ended.abort()
      this.#over.signal.removeEventListener('abort', onOver)
      await kept
    }
  }

  async #attempt(leased: Leased, signal: AbortSignal): Promise<void> {
    let result: { readonly actions: readonly TransactWriteItem[] } | { readonly error: unknown } | 'stopped'
    try {
      result = await Promise.race([this.#handled(leased, signal), aborted(signal)])
      if (result !== 'stopped') return await this.#end(leased, { kind: 'done', actions: result.actions })
    } catch (error) {
      result = { error }
    }
    if (result === 'stopped') return this.#giveBack(leased)
    await this.#fail(leased, result.error)
  }

  async #handled(leased: Leased, signal: AbortSignal) {
    const { id, payload, entity, attempts: attempt } = leased
    const operation = { id, payload: JSON.parse(payload), entity, attempt, signal }
    const marshalling = clientMarshalling(this.#target.db)
    const marshalled = (values: object) => marshalledAs(marshalling, values)
    const writes = writesOf(await this.#handler(operation))
    return { actions: writes.map((write) => actionOfCaller(write, marshalled)) }
  }

  async #end(leased: Leased, ending: Ending): Promise<void> {
    const outcome = await endOperation(this.#target, leased, ending)
    if (outcome === 'lost') this.#counts.returned += 1
    else this.#counts[ending.kind] += 1
    if (outcome === 'followed' && this.#shift.untilEmpty)
      this.#followed.set(leased.entity ?? '', this.#target.options.clock.now() + INDEX_MILLISECONDS)
  }

  async #fail(leased: Leased, error: unknown): Promise<void> {
    const { maxAttempts, retryMilliseconds, maxRetryMilliseconds, clock, random } = this.#target.options
    const reason = reasonOf(error)
    this.#counts.failed += 1
    if (leased.attempts >= maxAttempts) return this.#end(leased, { kind: 'dead', reason })
    const wait = Math.min(maxRetryMilliseconds, retryMilliseconds * 2 ** (leased.attempts - 1))
    await this.#change(leased, {
      set: '#due = :due, last_error = :error',
      error: reason,
      dueMilliseconds: clock.now() + wait * (0.5 + random.next() / 2),
      more: 'REMOVE lease',
    })
  }

  /** At once for another worker, and not counted as an attempt. */
  async #giveBack(leased: Leased): Promise<void> {
    this.#counts.returned += 1
    const { clock } = this.#target.options
    await this.#change(leased, {
      set: '#due = :due',
      dueMilliseconds: clock.now(),
      more: 'REMOVE lease ADD attempts :less',
    })
  }

  async #change(leased: Leased, change: Parameters<typeof changeLeased>[2]): Promise<void> {
    try {
      await changeLeased(this.#target, leased, change)
    } catch (error) {
      // Its lease is over, or an attempt whose answer was lost has changed it.
      if (refusalOf(error)?.kind !== 'condition') throw error
    }
  }
}

function aborted(signal: AbortSignal): Promise<'stopped'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('stopped')
    else signal.addEventListener('abort', () => resolve('stopped'), { once: true })
  })
}
