import {
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  type TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { AttemptBudget } from '../attempts/attempt-budget.js'
import { sendUntilAnswered } from '../attempts/attempt-loop.js'
import { lateBoundOf } from '../attempts/late-bound.js'
import { type Answered, type Changed, type Stale, unlessFailed } from '../attempts/outcome.js'
import type { ReadTogether } from '../attempts/read-many.js'
import { requestToken } from '../attempts/request-token.js'
import { untilDecided } from '../attempts/until-decided.js'
import { CapacityByTable } from '../sdk/consumed-capacity.js'
import type { SendOptions } from '../sdk/physical-client.js'
import type { RequestContext } from '../sdk/request-context.js'
import type { TablesByName } from '../sdk/tables-by-name.js'
import { isCancellation } from '../sdk/transaction-errors.js'
import { sourceThrottled } from '../writes/hot-sources.js'
import type { WrittenTable } from '../writes/written-table.js'
import { CreationWait } from './creation-wait.js'
import { judge, ownReasons, type RefusedAction, type Verdict } from './judge-cancellation.js'
import type { PlacedAction } from './placed-action.js'
import { presentedCancellation } from './presented-cancellation.js'
import { isSharded, type ShardedMember, type TransactMember } from './transact-member.js'

/** The result of a sent transaction. */
export type TransactionOutcome =
  | Answered<TransactWriteItemsCommandOutput>
  | Stale
  | Extract<Verdict, { kind: 'moving' | 'changed' }>

/** One transaction of the application with all its requests: one budget of attempts, and one sum of capacity. */
export class TransactionCall {
  readonly context: RequestContext
  readonly together: ReadTogether
  readonly creationWait: CreationWait
  readonly #tables: TablesByName<WrittenTable>
  readonly #members: readonly TransactMember[]
  readonly #sharded: readonly ShardedMember[]
  readonly #input: TransactWriteItemsCommandInput
  readonly #budget: AttemptBudget
  readonly #first: ShardedMember
  readonly #capacity = new CapacityByTable()
  #token: string | undefined

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
    this.creationWait = new CreationWait(this.#budget)
    this.context = { options, carryMiddleware: request.carryMiddleware }
    this.together = {
      client: tables.client,
      // The middleware of a transaction command does not fit the input of a batch.
      request: { carryMiddleware: () => {} },
      options,
      returnConsumedCapacity: input.ReturnConsumedCapacity,
      metadata: this.#budget.metadata,
      capacity: this.#capacity,
    }
    for (const { table, itemKey, units } of this.#sharded) table.heat.offered(itemKey.logical, units)
  }

  /**
   * Sends the actions, again after growing waits while there is no capacity for them.
   * @throws the SDK's own errors, with a reason for each of the application's members
   */
  async send(actions: readonly PlacedAction[], validUntil: number): Promise<TransactionOutcome> {
    const budget = this.#budget
    const command = new TransactWriteItemsCommand({
      ...this.#input,
      ClientRequestToken: this.#input.ClientRequestToken ?? this.#nextToken(),
      TransactItems: actions.map(({ request }): TransactWriteItem => request),
    })
    this.context.carryMiddleware(command)
    const request = {
      command,
      clock: this.#first.table.clock,
      validUntil,
      lateMilliseconds: lateBoundOf(this.#sharded.map(({ table }) => table.options)),
      log: budget,
    }
    let verdict: Verdict | undefined
    const outcome = await sendUntilAnswered<TransactWriteItemsCommandOutput>(
      this.#tables.client,
      this.context.options,
      {
        budget,
        next: () => request,
        refusalOf: (error) => {
          if (!isCancellation(error)) return undefined
          // mark: refusal-answers-no-earlier-attempt
          const reasons = error.CancellationReasons ?? []
          verdict = judge(actions, reasons)
          if (verdict.kind === 'moving' || verdict.kind === 'changed') return undefined
          const own = presentedCancellation(error, ownReasons(actions, reasons), budget.metadata.total())
          // A cancellation has no ThrottlingReasons.
          return verdict.kind === 'final' ? undefined : { error: own, reasons: [] }
        },
        onThrottle(reasons, attempt) {
          const refused = verdict?.kind === 'throttled' ? verdict.refused : onlyOne(actions)
          verdict = undefined
          return report(refused, reasons, attempt)
        },
      },
    )
    if (outcome.kind === 'answered') {
      this.#capacity.add(outcome.output.ConsumedCapacity)
      for (const { table, itemKey, units } of this.#sharded) table.heat.accepted(itemKey.logical, units)
    }
    return verdict?.kind === 'moving' || verdict?.kind === 'changed' ? verdict : unlessFailed(outcome)
  }

  /** @throws TransactionCanceledException if the items are moved too often; any error of `decide` */
  decided<Output>(decide: () => Promise<Answered<Output> | Stale | Changed>): Promise<Output> {
    const reasonOf = (member: TransactMember) => ({
      Code: isSharded(member) ? 'TransactionConflict' : 'None',
    })
    return untilDecided(
      this.#budget,
      this.#first.table.options,
      decide,
      () =>
        new TransactionCanceledException({
          message: 'Transaction cancelled, since its items were moved again and again.',
          $metadata: { httpStatusCode: 400 },
          CancellationReasons: this.#members.map(reasonOf),
        }),
    )
  }

  /** Waits before items are searched again, because the service left some unprocessed. */
  async waitForCapacity(): Promise<void> {
    const error = new ProvisionedThroughputExceededException({
      message: 'The reads by which the items of the transaction are found were left unprocessed.',
      $metadata: { httpStatusCode: 400 },
    })
    const lastWord = await this.#budget.refused({ error }, 1)
    if (lastWord !== undefined) throw lastWord
  }

  /** The output with the capacity of all requests. */
  summed({
    ConsumedCapacity: _own,
    ...output
  }: TransactWriteItemsCommandOutput): TransactWriteItemsCommandOutput {
    return {
      ...output,
      $metadata: this.#budget.metadata.total(),
      ...this.#capacity.answer(this.#input.ReturnConsumedCapacity),
    }
  }

  /**
   * The request token. All attempts with the same content share one token, as in the SDK. The application's own token
   * is used for any content.
   *
   * After an attempt without a response, other content keeps the same token, too: the content may have changed because
   * items or the view changed, and the transaction must not be executed twice. A later rejected attempt does not change
   * that, because the first attempt may still arrive after it.
   */
  #nextToken(): string {
    // mark: unanswered-transaction-keeps-its-token
    if (this.#token === undefined || this.#budget.unanswered === undefined) {
      this.#token = requestToken(this.#first.table.random)
    }
    return this.#token
  }
}

/** Records a throttle for each member that it concerns. */
async function report(
  refused: readonly RefusedAction[],
  reasons: readonly string[],
  attempt: number,
): Promise<undefined> {
  for (const { member, shard } of refused) {
    sourceThrottled(member.table, member.itemKey.logical)
    const place = { key: member.itemKey.logical, shard, units: member.units, item: member.itemKey.sort }
    await member.table.heat.throttled({ ...place, attempt, reasons })
  }
}

/** An error of the whole transaction does not identify an action, unless there is only one. */
function onlyOne(actions: readonly PlacedAction[]): readonly RefusedAction[] {
  const own = actions.flatMap(({ member, role, shard }) =>
    role === 'own' && isSharded(member) ? [{ member, shard }] : [],
  )
  return own.length === 1 ? own : []
}
