import { AttemptBudget } from '../attempts/attempt-budget.js'
import { type Answer, type Course, sendUntilAnswered } from '../attempts/attempt-loop.js'
import { answerOf } from '../attempts/outcome.js'
import type { SendingTable } from '../attempts/sending-table.js'
import type { LowLevelRequest } from '../sdk/low-level-request.js'
import type { AnyCommand, SendOptions } from '../sdk/physical-client.js'
import { indexWritesIn } from './index-write.js'
import type { ShadowedRequest } from './with-shadow-keys.js'

type Input = LowLevelRequest['input']

/**
 * The number of other shards that a throttled write tries at once. If they throttle too, waiting helps more. The same as
 * for an append to a table.
 */
const MAX_IMMEDIATE_RETRIES = 3

/** A write to an unsharded table with dynamic indexes. */
export interface UnshardedWrite {
  readonly table: SendingTable
  readonly request: LowLevelRequest
  readonly options: SendOptions | undefined
  readonly shadowed: ShadowedRequest
  /** Creates the command of an attempt. */
  readonly commandOf: (input: Input) => AnyCommand
}

/**
 * Writes an item of a table that is not sharded itself. It has the library's own retries instead of the SDK's: if a
 * partition of an index throttles the item, other shards of its value are tried.
 * @throws the SDK's own errors
 */
export async function writeUnsharded(write: UnshardedWrite): Promise<object> {
  const { table, options } = write
  const budget = new AttemptBudget(table, options?.abortSignal)
  const course = new OtherShards(write, budget, write.shadowed.asked, write.request.input)
  const output = answerOf(await sendUntilAnswered<Answer>(table.client, options, course))
  const isRetried = output.$metadata.attempts !== budget.metadata.attempts
  return isRetried ? { ...output, $metadata: budget.metadata.total(output.$metadata) } : output
}

/** The attempts of one request, each in other shards of its indexes. */
export class OtherShards implements Course {
  readonly budget: AttemptBudget
  readonly #write: UnshardedWrite
  readonly #asked: Input
  #immediate = 0
  /** The request of the current attempt. */
  input: Input

  /**
   * @param asked the request without shadow keys
   * @param input the request of the first attempt
   */
  constructor(write: UnshardedWrite, budget: AttemptBudget, asked: Input, input: Input) {
    this.#write = write
    this.budget = budget
    this.#asked = asked
    this.input = input
  }

  next() {
    const { table, request, commandOf } = this.#write
    const command = commandOf(this.input)
    request.carryMiddleware(command)
    // No view ends: an entry may be in any shard that was ever in use.
    return { command, clock: table.clock, validUntil: Number.POSITIVE_INFINITY, log: this.budget }
  }

  readonly beforeNext = async (error: Error): Promise<Error | undefined> => {
    const { choice, extended } = this.#write.shadowed
    const hasOthers = this.#immediate < Math.min(MAX_IMMEDIATE_RETRIES, choice.mostShards - 1)
    if (hasOthers && this.#isThrottledByIndex(error)) this.#immediate += 1
    else {
      const lastWord = await this.budget.wait(error)
      if (lastWord !== undefined) return lastWord
    }
    choice.again()
    try {
      this.input = await extended(this.#asked)
    } catch (failure) {
      throw this.budget.lastWord(failure)
    }
    return undefined
  }

  #isThrottledByIndex(error: Error): boolean {
    return indexWritesIn(this.input).some((write) => write.isThrottledBy(error))
  }
}
