import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import type { LowLevelRequest } from '../sdk/low-level-request.js'
import type { SendOptions } from '../sdk/physical-client.js'
import { AttemptBudget } from './attempt-budget.js'
import { type OnThrottle, type Refusal, type Spending, sendUntilAnswered } from './attempt-loop.js'
import { answerOf, type Outcome } from './outcome.js'
import type { SendingTable } from './sending-table.js'
import { SummedMetadata } from './summed-metadata.js'

/** Records a throttled attempt of a request to the table, or to one of its indexes. */
type OnQueryThrottle = (reasons: readonly string[], index: string | undefined) => void

/**
 * Sends the requests of one query. It retries throttled requests itself, within the table's `maxAttempts` for each request and its
 * `retryDeadline` for the query. So a hot key does not use up the SDK's retries, which all keys share.
 */
export class ShardReader {
  readonly #table: SendingTable
  readonly #request: LowLevelRequest
  readonly #options: SendOptions
  readonly #startedAt: number
  #replica: string | undefined

  /** @param replica an index with the table's keys, which is queried instead of the table until a query to it fails */
  constructor(
    table: SendingTable,
    request: LowLevelRequest,
    options: SendOptions | undefined,
    abortSignal: AbortSignal,
    replica: string | undefined,
  ) {
    this.#table = table
    this.#request = request
    this.#options = { ...options, abortSignal }
    this.#startedAt = table.clock.now()
    this.#replica = replica
  }

  /** Whether the answers now come from the table or an index of the request itself, and not from a replica. */
  get isAtSource(): boolean {
    return this.#replica === undefined
  }

  /**
   * @param onThrottle called for each throttled attempt, with the index that it queried
   * @throws the SDK's errors; the `$metadata` of a throttle counts all attempts
   */
  send(input: QueryCommandInput, onThrottle: OnQueryThrottle): Promise<QueryCommandOutput> {
    const replica = this.#replica
    return replica === undefined
      ? this.#sendToSource(input, onThrottle)
      : this.#sendToReplica(replica, input, onThrottle)
  }

  async #sendToReplica(
    index: string,
    input: QueryCommandInput,
    onThrottle: OnQueryThrottle,
  ): Promise<QueryCommandOutput> {
    const refused = async ({ error, reasons }: Refusal) => {
      if (reasons !== undefined) onThrottle(reasons, index)
      return error
    }
    const once = { metadata: new SummedMetadata(), refused }
    const outcome = await this.#send({ ...input, IndexName: index }, once)
    if (outcome.kind === 'answered' || this.#options.abortSignal?.aborted) return answerOf(outcome)
    // After any error of the index, this query reads the table.
    this.#replica = undefined
    return this.#sendToSource(input, onThrottle)
  }

  #sendToSource(input: QueryCommandInput, onThrottle: OnQueryThrottle): Promise<QueryCommandOutput> {
    const budget = new AttemptBudget(this.#table, this.#options.abortSignal, this.#startedAt)
    const sense: OnThrottle = async (reasons) => {
      onThrottle(reasons, input.IndexName)
      return undefined
    }
    return this.#send(input, budget, sense).then((outcome) => {
      const output = answerOf(outcome)
      output.$metadata = budget.metadata.total()
      return output
    })
  }

  #send(
    input: QueryCommandInput,
    budget: Spending,
    onThrottle?: OnThrottle,
  ): Promise<Outcome<QueryCommandOutput>> {
    const { client, clock } = this.#table
    const command = new QueryCommand(input)
    this.#request.carryMiddleware(command)
    // A read may be sent at any time. Whether it was too late is checked when the response arrives.
    const request = { command, clock, validUntil: Number.POSITIVE_INFINITY }
    return sendUntilAnswered(client, this.#options, { budget, next: () => request, onThrottle })
  }
}
