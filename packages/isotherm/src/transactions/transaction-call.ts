import {
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  type TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { AttemptBudget } from '../attempts/attempt-budget.js'
import { guardAttempts, StaleView, ThrottledAttempt } from '../attempts/attempt-guard.js'
import { attemptsOf } from '../attempts/attempt-metadata.js'
import type { ReadTogether } from '../attempts/read-many.js'
import { requestToken } from '../attempts/request-token.js'
import { SummedMetadata } from '../attempts/summed-metadata.js'
import { CapacityByTable } from '../sdk/consumed-capacity.js'
import type { SendOptions } from '../sdk/physical-client.js'
import type { RequestContext } from '../sdk/request-context.js'
import type { TablesByName } from '../sdk/tables-by-name.js'
import type { WrittenTable } from '../writes/written-table.js'
import { cancellationOf, cancelled } from './cancellation.js'
import { judge, ownReasons, type RefusedAction, type Verdict } from './judge-cancellation.js'
import type { PlacedAction } from './placed-action.js'
import { isSharded, type ShardedMember, type TransactMember } from './transact-member.js'

/** What a sent transaction came to. */
export type TransactionOutcome =
  | { readonly kind: 'written'; readonly output: TransactWriteItemsCommandOutput }
  | Extract<Verdict, { kind: 'moving' | 'changed' }>

/**
 * How often items are looked for anew. Each time something else has happened to one of them, so a call that gets that far
 * has met a crowd.
 */
const MAX_ROUNDS = 20

/** Each unit of a transaction is written twice: it is prepared and committed. */
const TRANSACTION_UNITS = 2

/** One transaction of the application, and all the requests that it takes: one budget for refusals, one sum of what was used. */
export class TransactionCall {
  readonly context: RequestContext
  readonly together: ReadTogether
  readonly #tables: TablesByName<WrittenTable>
  readonly #members: readonly TransactMember[]
  readonly #sharded: readonly ShardedMember[]
  readonly #input: TransactWriteItemsCommandInput
  readonly #budget: AttemptBudget
  readonly #first: ShardedMember
  readonly #metadata = new SummedMetadata()
  readonly #capacity = new CapacityByTable()
  #token: string | undefined
  #rounds = 0

  constructor(
    tables: TablesByName<WrittenTable>,
    members: readonly TransactMember[],
    input: TransactWriteItemsCommandInput,
    request: Pick<RequestContext, 'carryMiddleware'>,
    options: SendOptions | undefined,
  ) {
    this.#tables = tables
    this.#input = input
    this.#members = members
    this.#sharded = members.filter(isSharded)
    const [first] = this.#sharded
    if (first === undefined) throw new Error('A transaction without sharded tables is sent as it is.')
    this.#first = first
    this.#budget = new AttemptBudget(first.table, options?.abortSignal)
    this.context = { options, carryMiddleware: request.carryMiddleware }
    this.together = {
      client: tables.client,
      // Middleware for a transaction is not made for the input of a batch.
      request: { carryMiddleware: () => {} },
      options,
      returnConsumedCapacity: input.ReturnConsumedCapacity,
      metadata: this.#metadata,
      capacity: this.#capacity,
    }
    for (const { table, itemKey } of this.#sharded) table.heat.offered(itemKey.logical, TRANSACTION_UNITS)
  }

  /**
   * Sends the actions, again after growing waits while there is no capacity for them.
   * @throws StaleView when an attempt would leave after the end of a view; the SDK's own errors
   */
  async send(actions: readonly PlacedAction[], validUntil: number): Promise<TransactionOutcome> {
    const { clock } = this.#first.table
    const token = this.#input.ClientRequestToken ?? this.#nextToken()
    // One for all attempts: the SDK's commands are dear to make.
    const command = new TransactWriteItemsCommand({
      ...this.#input,
      ClientRequestToken: token,
      TransactItems: actions.map(({ request }): TransactWriteItem => request),
    })
    this.context.carryMiddleware(command)
    guardAttempts(command, { clock, validUntil }, this.#budget.log)
    for (;;) {
      try {
        const output = await this.#tables.client.send(command, this.context.options)
        this.#metadata.add(output.$metadata)
        this.#capacity.add(output.ConsumedCapacity)
        for (const { table, itemKey } of this.#sharded)
          table.heat.accepted(itemKey.logical, TRANSACTION_UNITS)
        return { kind: 'written', output }
      } catch (error) {
        const outcome = await this.#afterError(error, actions)
        if (outcome !== undefined) return outcome
      }
    }
  }

  /** @throws TransactionCanceledException where the items changed their places too often */
  async beginAnew(): Promise<void> {
    this.#rounds += 1
    if (this.#rounds === 1) return
    const conflict = new TransactionCanceledException({
      message: 'Transaction cancelled, since its items were moved again and again.',
      $metadata: { httpStatusCode: 400 },
      CancellationReasons: this.#members.map((member) => ({
        Code: isSharded(member) ? 'TransactionConflict' : 'None',
      })),
    })
    if (this.#rounds > MAX_ROUNDS) throw this.#budget.exhausted(conflict)
    await this.#wait(conflict)
  }

  requireNewView(): void {
    this.#budget.requireNewView()
  }

  /** What the application is told in place of the error. */
  lastWord(error: unknown): unknown {
    return this.#budget.lastWord(error)
  }

  /** Before items are looked for again, of which the service left some out. */
  async waitForCapacity(): Promise<void> {
    const error = new ProvisionedThroughputExceededException({
      message: 'The reads by which the items of the transaction are found were left unprocessed.',
      $metadata: { httpStatusCode: 400 },
    })
    this.#budget.refuse()
    this.#budget.requireMore(error)
    await this.#wait(error)
  }

  /** The output with what all requests together took. */
  summed({
    ConsumedCapacity: _own,
    ...output
  }: TransactWriteItemsCommandOutput): TransactWriteItemsCommandOutput {
    return {
      ...output,
      $metadata: this.#metadata.total,
      ...this.#capacity.answer(this.#input.ReturnConsumedCapacity),
    }
  }

  /**
   * One name for all attempts of one content, as the SDK has it; the application's own stays whatever the content is.
   *
   * And after an attempt without an answer the same name for another content too: the items may have been looked for anew
   * because they, or the view, have changed, and the transaction must not be carried out twice. A refusal of a later attempt
   * changes nothing in that: the first may be on its way still, and arrive behind it.
   */
  #nextToken(): string {
    // mark: unanswered-transaction-keeps-its-token
    if (this.#token === undefined || this.#budget.log.unanswered === undefined) {
      this.#token = requestToken(this.#first.table.random)
    }
    return this.#token
  }

  /** @returns `undefined` where the same is sent again */
  async #afterError(
    error: unknown,
    actions: readonly PlacedAction[],
  ): Promise<Exclude<TransactionOutcome, { kind: 'written' }> | undefined> {
    if (!(error instanceof Error)) throw error
    this.#metadata.addAttempts(error instanceof StaleView ? attemptsOf(error) - 1 : attemptsOf(error))
    if (error instanceof ThrottledAttempt) {
      const { throttle } = error
      await this.#refused(onlyOne(actions), throttle.reasons, throttle.error)
      return undefined
    }
    const cancellation = cancellationOf(error)
    if (cancellation === undefined) throw error
    // mark: refusal-answers-no-earlier-attempt
    const reasons = cancellation.CancellationReasons ?? []
    const verdict = judge(actions, reasons)
    if (verdict.kind === 'moving' || verdict.kind === 'changed') return verdict
    const own = cancelled(cancellation, ownReasons(actions, reasons), this.#metadata.total)
    if (verdict.kind === 'final') throw own
    // A cancellation tells no ThrottlingReasons.
    await this.#refused(verdict.refused, [], own)
    return undefined
  }

  /** @throws the error where no attempt or no time is left */
  async #refused(refused: readonly RefusedAction[], reasons: readonly string[], error: Error): Promise<void> {
    const budget = this.#budget
    const attempt = budget.refuse()
    for (const { member, shard } of refused) {
      const { table, itemKey } = member
      const place = { key: itemKey.logical, shard, units: TRANSACTION_UNITS }
      await table.heat.throttled({ ...place, attempt, throttle: { reasons } })
    }
    budget.attempts = this.#metadata.total.attempts ?? 0
    budget.requireMore(error)
    await this.#wait(error)
  }

  async #wait(error: Error): Promise<void> {
    const { clock } = this.#first.table
    const from = clock.now()
    await this.#budget.wait(error)
    this.#metadata.addWait(clock.now() - from)
  }
}

/** A refusal of the whole does not say whom it is about, unless there is one only. */
function onlyOne(actions: readonly PlacedAction[]): readonly RefusedAction[] {
  const own = actions.flatMap(({ member, role, shard }) =>
    role === 'own' && isSharded(member) ? [{ member, shard }] : [],
  )
  return own.length === 1 ? own : []
}
