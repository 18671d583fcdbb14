import {
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  ScanCommand,
  type ScanCommandInput,
  type ScanCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { allowManyListeners } from '@isotherm/runtime'
import type { AnyCommand } from '../sdk/physical-client.js'
import { cancellationCodes, isCancellation, isConflict } from '../sdk/transaction-errors.js'
import { AttemptBudget } from './attempt-budget.js'
import type { UnansweredLog } from './attempt-guard.js'
import { type Answer, type Refusal, sendUntilAnswered } from './attempt-loop.js'
import { boundedClient, NoResponse } from './bounded-client.js'
import { answerOf, type Outcome } from './outcome.js'
import type { Pace } from './pace.js'
import type { SendingTable } from './sending-table.js'

export interface MoveSenderOptions {
  readonly maxAttempts: number
  readonly pace: Pace | undefined
  readonly signal: AbortSignal | undefined
}

interface Sends extends Pick<SendingTable, 'client' | 'clock' | 'random'> {
  /** For requests that have a time from which they are not sent. */
  readonly options?: Pick<SendingTable['options'], 'lateRequestMilliseconds'>
}

/** The cancellation codes of a transaction that are worth retrying. */
const CONFLICT = 'TransactionConflict'
const THROTTLES = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded'])

/** What is taken before a page is read: its least cost. */
const LEAST_PAGE_UNITS = 0.5

/** How often a page is asked for that has no response. */
const PAGE_TRIES = 3

/** The cost of an item of one kilobyte, and of a full page, read consistently: used if the service does not report what a page cost. */
const USUAL_ITEM_UNITS = 0.25
const FULL_PAGE_UNITS = 256

/**
 * Sends the requests of moves, no faster than their pace. Retries after a throttle or a conflict. Does not use the SDK's retry
 * budget, which belongs to the application.
 */
export class MoveSender {
  readonly #table: Sends
  readonly #options: MoveSenderOptions

  constructor(table: Sends, options: MoveSenderOptions) {
    this.#table = table
    this.#options =
      options.pace === undefined ? options : { ...options, signal: sharedSignal(options.signal) }
  }

  /**
   * @param units the estimated cost in capacity units
   * @param validUntil the time from which no attempt is sent
   * @param log omitted if it does not matter whether an attempt without a response took effect
   */
  async send<Output extends Answer>(
    command: AnyCommand,
    units: number,
    validUntil = Number.POSITIVE_INFINITY,
    log?: UnansweredLog,
  ): Promise<Outcome<Output>> {
    const { maxAttempts, pace, signal } = this.#options
    const { clock, random, options: table } = this.#table
    // A request without a deadline of its own that hangs would hold up its change, which its process goes on to renew.
    const isBounded = validUntil === Number.POSITIVE_INFINITY
    const client = isBounded ? boundedClient(this.#table.client, clock) : this.#table.client
    const options = { maxAttempts, retryMilliseconds: Number.POSITIVE_INFINITY }
    const budget = new AttemptBudget({ clock, random, options }, signal)
    const request = { command, clock, validUntil, lateMilliseconds: table?.lateRequestMilliseconds, log }
    await pace?.take(units, signal)
    return sendUntilAnswered(client, signal && { abortSignal: signal }, {
      budget,
      next: () => request,
      refusalOf: passingRefusal,
      async onThrottle() {
        pace?.throttled()
        return undefined
      },
      async beforeNext(error) {
        const lastWord = await budget.wait(error)
        if (lastWord === undefined) await pace?.take(units, signal)
        return lastWord
      },
    })
  }

  /** Waits until the pace lets the next request begin. So what is looked up then does not grow old before the request is sent. */
  async turn(): Promise<void> {
    await this.#options.pace?.take(0, this.#options.signal)
  }

  /** Waits, unless the signal ends it. */
  async pause(milliseconds: number): Promise<void> {
    await this.#table.clock.sleep(milliseconds, this.#options.signal)
  }

  /** Records units that a request used beyond its estimate. */
  spent(units: number): void {
    if (units > 0) this.#options.pace?.spent(units)
  }

  /**
   * Reads one page of a key. Its cost is known only from the answer, so what is sent next waits for it.
   * @throws the last throttle; any other error immediately
   */
  queryPage(input: QueryCommandInput): Promise<QueryCommandOutput> {
    return this.#page(() => new QueryCommand({ ...input, ReturnConsumedCapacity: 'TOTAL' }))
  }

  /** Reads one page of a table, as {@link queryPage} does of a key. */
  scanPage(input: ScanCommandInput): Promise<ScanCommandOutput> {
    return this.#page(() => new ScanCommand({ ...input, ReturnConsumedCapacity: 'TOTAL' }))
  }

  async #page<Page extends QueryCommandOutput | ScanCommandOutput>(command: () => AnyCommand): Promise<Page> {
    const page = await this.#answeredPage<Page>(command)
    this.spent(unitsOf(page) - LEAST_PAGE_UNITS)
    return page
  }

  async #answeredPage<Page extends QueryCommandOutput | ScanCommandOutput>(
    command: () => AnyCommand,
  ): Promise<Page> {
    for (let tried = 1; ; tried++) {
      try {
        return await this.answer<Page>(command(), LEAST_PAGE_UNITS)
      } catch (error) {
        if (!(error instanceof NoResponse) || tried === PAGE_TRIES) throw error
      }
    }
  }

  /**
   * Sends a request that has no deadline, and returns its output.
   * @throws the last throttle or conflict; any other error immediately
   */
  async answer<Output extends Answer>(command: AnyCommand, units: number): Promise<Output> {
    return answerOf(await this.send<Output>(command, units))
  }
}

/**
 * Many moves of a pass listen to its signal at a time. The signal may be one of the application, whose own limit
 * stays. The application's signal keeps a reference to this one for good, so single requests do without.
 */
function sharedSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined) return undefined
  const shared = AbortSignal.any([signal])
  allowManyListeners(shared)
  return shared
}

function unitsOf({ ConsumedCapacity, ScannedCount = 0 }: QueryCommandOutput | ScanCommandOutput): number {
  return ConsumedCapacity?.CapacityUnits ?? Math.min(FULL_PAGE_UNITS, ScannedCount * USUAL_ITEM_UNITS)
}

function passingRefusal(error: unknown): Refusal | undefined {
  if (isConflict(error)) return { error }
  const codes = cancellationCodes(error)
  if (!isCancellation(error) || codes.includes('ConditionalCheckFailed')) return undefined
  if (codes.some((code) => code !== undefined && THROTTLES.has(code))) return { error, reasons: [] }
  return codes.includes(CONFLICT) ? { error } : undefined
}
