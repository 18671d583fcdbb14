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
import { throttleOf } from '../sdk/throttle.js'
import { isConflict } from '../sdk/transaction-errors.js'
import { AttemptBudget } from './attempt-budget.js'
import type { ShardRequest, UnansweredLog } from './attempt-guard.js'
import { type OnThrottle, type Refusal, sendUntilAnswered } from './attempt-loop.js'
import { type Answered, type Changed, type Outcome, type Stale, unlessFailed } from './outcome.js'
import type { SendingTable } from './sending-table.js'
import type { AttemptMetadata } from './summed-metadata.js'
import { untilDecided } from './until-decided.js'

/** An output of the SDK. A batch has the consumed capacity of each table. */
interface Answer {
  readonly $metadata: AttemptMetadata
  readonly ConsumedCapacity?: ConsumedCapacity | readonly ConsumedCapacity[] | undefined
}

type SendView = Pick<ShardRequest, 'validUntil'>

interface CallInput {
  readonly TableName: string | undefined
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
}

/** One read or write of an item, with all its requests. They share one budget for refusals and one sum of consumed capacity. */
export class ItemCall<Table extends SendingTable = SendingTable> {
  readonly table: Table
  readonly context: RequestContext
  /** The table's name or ARN, as the application passed it. */
  readonly tableName: string
  readonly budget: AttemptBudget
  readonly #asked: ReturnConsumedCapacity | undefined
  #capacity: ConsumedCapacity | undefined

  /** @param input the input of the application's request */
  constructor(table: Table, context: RequestContext, input: CallInput) {
    this.table = table
    this.context = context
    this.tableName = input.TableName ?? table.options.name
    this.budget = new AttemptBudget(table, context.options?.abortSignal)
    this.#asked = input.ReturnConsumedCapacity
  }

  /** The capacity parameter of every request of the call, so that the capacity can be summed. */
  get capacityAsked(): { ReturnConsumedCapacity?: ReturnConsumedCapacity } {
    return this.#asked === undefined ? {} : { ReturnConsumedCapacity: this.#asked }
  }

  /**
   * Sends a command that writes. Retries it with backoff while it is throttled or conflicts with a transaction.
   * @param view the view that the command is based on
   */
  write<Output extends Answer>(
    command: AnyCommand,
    view: SendView,
    onThrottle: OnThrottle,
  ): Promise<Outcome<Output>> {
    return this.#send(command, view, onThrottle, this.budget)
  }

  /**
   * Like `write`, but for a command that reads. An attempt without a response has no effect, so it is not recorded.
   * @throws the SDK's errors
   */
  read<Output extends Answer>(
    command: AnyCommand,
    view: SendView,
    onThrottle: OnThrottle,
  ): Promise<Answered<Output> | Stale> {
    return this.#send<Output>(command, view, onThrottle).then(unlessFailed)
  }

  /**
   * Decides and sends until the decision is carried out; see `untilDecided`.
   * @throws TransactionConflictException if the item changes too often; the errors of `decide`
   */
  decided<Output>(decide: () => Promise<Answered<Output> | Stale | Changed>): Promise<Output> {
    return untilDecided(this.budget, this.table.options, decide, () => {
      const message = TRANSACTION_CONFLICT_TEXT
      return new TransactionConflictException({ message, $metadata: { httpStatusCode: 400 } })
    })
  }

  /**
   * Waits before the unprocessed members of a batch are sent again. The service returns them without an error.
   * @throws ProvisionedThroughputExceededException if no attempt or no time is left
   */
  async waitForUnprocessed(members: number): Promise<void> {
    const error = new ProvisionedThroughputExceededException({
      message: `The batch left ${members} of its members unprocessed.`,
      $metadata: { httpStatusCode: 400 },
    })
    const lastWord = await this.budget.refused({ error }, 1)
    if (lastWord !== undefined) throw lastWord
  }

  /** Returns the output with the summed capacity and metadata of all requests. */
  summed<Output extends Answer>(output: Output): Output {
    const { metadata } = this.budget
    if (this.#asked === undefined && output.$metadata.attempts === metadata.attempts) return output
    const { ConsumedCapacity: _own, ...rest } = output
    const isShown = this.#asked !== undefined && this.#asked !== 'NONE' && this.#capacity !== undefined
    return {
      ...rest,
      ...(isShown ? { ConsumedCapacity: this.#capacity } : {}),
      $metadata: metadata.total(output.$metadata),
    } as unknown as Output
  }

  #send<Output extends Answer>(
    command: AnyCommand,
    { validUntil }: SendView,
    onThrottle?: OnThrottle,
    log?: UnansweredLog,
  ): Promise<Outcome<Output>> {
    const { table, context, budget } = this
    const lateMilliseconds = log && table.options.lateRequestMilliseconds
    const request = { command, clock: table.clock, validUntil, lateMilliseconds, log }
    const answer = sendUntilAnswered<Output>(table.client, context.options, {
      budget,
      next: () => request,
      refusalOf: passingRefusal,
      onThrottle,
    })
    return this.#asked === undefined ? answer : answer.then((outcome) => this.#used(outcome))
  }

  #used<Output extends Answer>(outcome: Outcome<Output>): Outcome<Output> {
    if (outcome.kind === 'answered') this.#use(outcome.output.ConsumedCapacity)
    return outcome
  }

  #use(consumed: Answer['ConsumedCapacity']): void {
    const parts = Array.isArray(consumed) ? consumed : [consumed]
    for (const part of parts) this.#capacity = addCapacity(this.#capacity, part)
  }
}

/** A conflict comes from a move of the item, or from a transaction of the application. */
function passingRefusal(error: unknown): Refusal | undefined {
  return isConflict(error) ? { error } : throttleOf(error)
}
