import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import type { LowLevelRequest } from '../sdk/low-level-request.js'
import type { SendOptions } from '../sdk/physical-client.js'
import { guardAttempts, ThrottledAttempt } from './attempt-guard.js'
import { type AttemptMetadata, attemptsOf, withAttempts } from './attempt-metadata.js'
import { backoffMilliseconds } from './backoff.js'
import type { SendingTable } from './sending-table.js'

/**
 * Sends the requests of one query. What is throttled is tried again here, within the table's `maxAttempts` for each request
 * and its `retryDeadline` for the query, so that a hot key does not spend the SDK's retries, which all keys share.
 */
export class ShardReader {
  readonly #table: SendingTable
  readonly #request: LowLevelRequest
  readonly #options: SendOptions
  readonly #startedAt: number
  #replica: string | undefined

  /** @param replica an index with the table's keys that is asked instead, as long as it answers */
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

  /** @throws the SDK's own errors; a throttle tells of all attempts */
  send(input: QueryCommandInput): Promise<QueryCommandOutput> {
    return this.#replica === undefined ? this.#retried(input) : this.#fromReplica(input, this.#replica)
  }

  async #fromReplica(input: QueryCommandInput, replica: string): Promise<QueryCommandOutput> {
    try {
      return await this.#send(this.#command({ ...input, IndexName: replica }))
    } catch (error) {
      if (this.#options.abortSignal?.aborted) throw error
      // Whatever is wrong with the copy, the table answers for itself.
      this.#replica = undefined
      return this.#retried(input)
    }
  }

  async #retried(input: QueryCommandInput): Promise<QueryCommandOutput> {
    const { clock, random, options } = this.#table
    // One for all attempts: the SDK's commands are dear to make.
    const command = this.#command(input)
    let attempts = 0
    let waited = 0
    for (let round = 0; ; round++) {
      try {
        const output = await this.#send(command)
        return attempts === 0 ? output : { ...output, $metadata: summed(output.$metadata, attempts, waited) }
      } catch (error) {
        if (!(error instanceof ThrottledAttempt)) throw error
        attempts += attemptsOf(error)
        const wait = backoffMilliseconds(random, round)
        const isLate = clock.now() - this.#startedAt + wait > options.retryMilliseconds
        if (attempts >= options.maxAttempts || isLate)
          throw withAttempts(error.throttle.error, attempts, waited)
        waited += wait
        await clock.sleep(wait, this.#options.abortSignal)
      }
    }
  }

  #command(input: QueryCommandInput): QueryCommand {
    const command = new QueryCommand(input)
    this.#request.carryMiddleware(command)
    // A read may leave at any time: whether it came too late is looked at when it is answered.
    guardAttempts(
      command,
      { clock: this.#table.clock, validUntil: Number.POSITIVE_INFINITY },
      { unanswered: undefined },
    )
    return command
  }

  #send(command: QueryCommand): Promise<QueryCommandOutput> {
    return this.#table.client.send(command, this.#options)
  }
}

function summed(metadata: AttemptMetadata, earlier: number, waited: number): AttemptMetadata {
  const { attempts = 1, totalRetryDelay = 0 } = metadata
  return { ...metadata, attempts: attempts + earlier, totalRetryDelay: totalRetryDelay + waited }
}
