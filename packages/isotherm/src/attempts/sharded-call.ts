import {
  type ConsumedCapacity,
  ProvisionedThroughputExceededException,
  type ReturnConsumedCapacity,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb'
import { TRANSACTION_CONFLICT_TEXT } from '@isotherm/semantics'
import { addCapacity } from '../sdk/consumed-capacity.js'
import type { AnyCommand } from '../sdk/physical-client.js'
import type { RequestContext } from '../sdk/request-context.js'
import { type Throttle, throttleOf } from '../sdk/throttle.js'
import { AttemptBudget } from './attempt-budget.js'
import {
  type AttemptLog,
  guardAttempts,
  type SendLimit,
  StaleView,
  ThrottledAttempt,
} from './attempt-guard.js'
import { type AttemptMetadata, attemptsOf } from './attempt-metadata.js'
import type { Refusal } from './cancellation.js'
import type { SendingTable } from './sending-table.js'

/** An answer of the SDK; a batch tells the capacity of each table. */
export interface Answer {
  readonly $metadata: AttemptMetadata
  readonly ConsumedCapacity?: ConsumedCapacity | readonly ConsumedCapacity[] | undefined
}

/** Hears of every throttle of a request; `attempt` counts the refused ones of the call. */
export type OnThrottle = (throttle: Throttle, attempt: number) => Promise<unknown>

/**
 * How often a call looks for its item anew. Each time something else has happened to the item in between, so a call that
 * gets that far has met a crowd, and the crowd has got on.
 */
const MAX_ROUNDS = 20

type SendView = Pick<SendLimit, 'validUntil'>

interface CallInput {
  readonly TableName: string | undefined
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
}

/** One call of the application, and all the requests that it takes: one budget for refusals, one sum of what was used. */
export class ShardedCall<Table extends SendingTable = SendingTable> {
  readonly table: Table
  readonly context: RequestContext
  /** As the application gave it: its name, or its ARN. */
  readonly tableName: string
  readonly budget: AttemptBudget
  readonly #asked: ReturnConsumedCapacity | undefined
  #capacity: ConsumedCapacity | undefined
  #metadata: AttemptMetadata = {}
  #rounds = 0

  /** @param input of the application's own request */
  constructor(table: Table, context: RequestContext, input: CallInput) {
    this.table = table
    this.context = context
    this.tableName = input.TableName ?? table.options.name
    this.budget = new AttemptBudget(table, context.options?.abortSignal)
    this.#asked = input.ReturnConsumedCapacity
  }

  /** What every request of the call asks for, so that it can be summed. */
  get capacityAsked(): { ReturnConsumedCapacity?: ReturnConsumedCapacity } {
    return this.#asked === undefined ? {} : { ReturnConsumedCapacity: this.#asked }
  }

  /**
   * Sends a command that writes, again after growing waits while it is throttled or collides with a transaction.
   *
   * @param view what the command was decided on
   * @throws StaleView when an attempt would leave after the view's end; the SDK's own errors
   */
  write<Output extends Answer>(command: AnyCommand, view: SendView, onThrottle: OnThrottle): Promise<Output> {
    return this.#send(command, view, this.budget.log, onThrottle)
  }

  /** As `write`, for a command that reads: without an answer nothing is done. */
  read<Output extends Answer>(command: AnyCommand, view: SendView): Promise<Output> {
    return this.#send(command, view, { unanswered: undefined })
  }

  async #send<Output extends Answer>(
    command: AnyCommand,
    view: SendView,
    log: AttemptLog,
    onThrottle?: OnThrottle,
  ): Promise<Output> {
    const { table, context, budget } = this
    guardAttempts(command, { clock: table.clock, validUntil: view.validUntil }, log)
    for (;;) {
      try {
        const output = (await table.client.send(command as never, context.options)) as unknown as Output
        budget.attempts += attemptsOf(output)
        this.#metadata = output.$metadata
        this.#use(output.ConsumedCapacity)
        return output
      } catch (error) {
        if (!(error instanceof Error)) throw error
        // The attempt that was stopped is counted with those before it, and was not sent.
        budget.attempts += attemptsOf(error) - (error instanceof StaleView ? 1 : 0)
        const refusal = refusalOf(error)
        if (refusal === undefined) throw error
        await this.afterRefusal(refusal, attemptsOf(error), onThrottle)
      }
    }
  }

  /**
   * Takes note of a refusal, the last of the attempts, and waits.
   * @throws the last word, where no attempt or no time is left
   */
  async afterRefusal({ error, throttle }: Refusal, attempts: number, onThrottle?: OnThrottle): Promise<void> {
    const { budget } = this
    const refused = budget.refuse(attempts)
    if (throttle !== undefined) await onThrottle?.(throttle, refused)
    budget.requireMore(error)
    await budget.wait(error)
  }

  /**
   * Before the call begins anew, because what it was decided on has changed: at once, and from the second time on later and later.
   * @throws TransactionConflictException where that happened too often
   */
  async beginAnew(): Promise<void> {
    this.#rounds += 1
    if (this.#rounds === 1) return
    const conflict = new TransactionConflictException({
      message: TRANSACTION_CONFLICT_TEXT,
      $metadata: { httpStatusCode: 400 },
    })
    if (this.#rounds > MAX_ROUNDS) throw this.budget.exhausted(conflict)
    await this.budget.wait(conflict)
  }

  /** That of the last answer, for an answer that the library gives itself. */
  get metadata(): AttemptMetadata {
    return this.#metadata
  }

  /**
   * Before members of a batch are sent again that were left unprocessed. No error comes with them.
   * @throws ProvisionedThroughputExceededException where no attempt or no time is left
   */
  async waitForUnprocessed(members: number): Promise<void> {
    const error = new ProvisionedThroughputExceededException({
      message: `The batch left ${members} of its members unprocessed.`,
      $metadata: { httpStatusCode: 400 },
    })
    await this.afterRefusal({ error }, 1)
  }

  /** The output with what all requests together took. */
  summed<Output extends Answer>(output: Output): Output {
    const { attempts, waitedMilliseconds } = this.budget
    const metadata = { ...output.$metadata, attempts, totalRetryDelay: waitedMilliseconds }
    const { ConsumedCapacity: _own, ...rest } = output
    const isShown = this.#asked !== undefined && this.#asked !== 'NONE' && this.#capacity !== undefined
    return {
      ...rest,
      ...(isShown ? { ConsumedCapacity: this.#capacity } : {}),
      $metadata: metadata,
    } as unknown as Output
  }

  #use(consumed: Answer['ConsumedCapacity']): void {
    const parts = Array.isArray(consumed) ? consumed : [consumed]
    for (const part of parts) this.#capacity = addCapacity(this.#capacity, part)
  }
}

/** @returns `undefined` for an error that trying again does not help */
function refusalOf(error: Error): Refusal | undefined {
  if (error instanceof ThrottledAttempt) return { error: error.throttle.error, throttle: error.throttle }
  // A move of the item, or the application's own transaction. The SDK does not try again.
  if (error.name === 'TransactionConflictException') return { error }
  const throttle = throttleOf(error)
  return throttle === undefined ? undefined : { error, throttle }
}
