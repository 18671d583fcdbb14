import type { WriteRequest } from '@aws-sdk/client-dynamodb'
import { AttemptBudget } from '../attempts/attempt-budget.js'
import type { Refusal } from '../attempts/attempt-loop.js'
import { placementIn, type ShardView } from '../protocol/index.js'
import { throttleOf } from '../sdk/throttle.js'
import { putUnits } from '../writes/item-units.js'
import { ShardWalk } from '../writes/shard-walk.js'
import { attributesOf, type ShardedWriteMember } from './batch-write-plan.js'

/** A member that is not retried, and is returned as unprocessed. */
export interface LeftOut {
  /** The service's error, if there was one. */
  readonly error: Error | undefined
}

/** The progress of a member through batches: from shard to shard with a random suffix, or again to its own shard. */
export class TogetherMember {
  readonly member: ShardedWriteMember
  readonly #units: number
  readonly #budget: AttemptBudget
  readonly #walk: ShardWalk | undefined
  readonly #place: number

  private constructor(member: ShardedWriteMember, view: ShardView, abortSignal: AbortSignal | undefined) {
    const { table, itemKey, given, tableName } = member
    this.member = member
    this.#units =
      given.PutRequest === undefined ? 1 : putUnits({ TableName: tableName, Item: given.PutRequest.Item })
    this.#budget = new AttemptBudget(table, abortSignal)
    this.#place = placementIn(table).home(view, itemKey)
    const isRandom = table.placementKind === 'random'
    this.#walk = isRandom ? new ShardWalk(table, itemKey.logical, view, this.#budget) : undefined
  }

  static async begin(
    member: ShardedWriteMember,
    abortSignal: AbortSignal | undefined,
  ): Promise<TogetherMember> {
    const { table, itemKey } = member
    const begun = new TogetherMember(member, await table.views.forWrite(itemKey.logical), abortSignal)
    table.heat.offered(itemKey.logical, begun.#units)
    return begun
  }

  get shard(): number {
    return this.#walk?.shard ?? this.#place
  }

  /** Until when it may be sent to its shard. With a fixed count this is unlimited. */
  get validUntil(): number {
    return this.#walk?.view.validUntil ?? Number.POSITIVE_INFINITY
  }

  /** The member in the form sent to the service. */
  get request(): WriteRequest {
    const { table, itemKey, given } = this.member
    const physical = table.suffix.add(itemKey.logical, this.shard)
    const placed = { ...attributesOf(given), [table.options.partitionKey]: { ...physical } }
    return given.PutRequest === undefined
      ? { DeleteRequest: { Key: placed } }
      : { PutRequest: { Item: placed } }
  }

  /** Records an attempt that may have succeeded. In its own shard the member can be written again. */
  set unanswered(error: unknown) {
    if (this.#walk !== undefined) this.#budget.unanswered = error
  }

  written(): void {
    const { table, itemKey } = this.member
    table.heat.accepted(itemKey.logical, this.#units)
    this.#walk?.accepted()
  }

  /**
   * Records that the member was not written, and chooses the shard of its next attempt.
   * @param throttle `undefined` for a member that was left unprocessed
   * @returns `undefined` if there is another attempt
   * @throws the error of an attempt without a response, which may have written the member. If the member were returned
   * as unprocessed, the application would write it a second time.
   */
  async refused(throttle: Refusal | undefined): Promise<LeftOut | undefined> {
    const { table, itemKey } = this.member
    const walk = this.#walk
    const error = new Error('The member was left unprocessed.')
    const place = { key: itemKey.logical, shard: this.shard, units: this.#units, item: itemKey.sort }
    this.#budget.metadata.attempts += 1
    try {
      const lastWord = await this.#budget.refused({ error, reasons: throttle?.reasons ?? [] }, 1, {
        // mark: batch-reports-its-throttles
        onThrottle: (reasons, attempt) => table.heat.throttled({ ...place, attempt, reasons }),
        beforeNext: walk && ((_error, scope) => walk.next(error, scope)),
      })
      if (lastWord === undefined) return undefined
      if (lastWord !== error) throw lastWord
      return { error: throttle?.error }
    } catch (failure) {
      return leftOutBy(failure)
    }
  }

  /**
   * Prepares another attempt, because the last one would have been sent after the end of its view.
   * @returns `undefined` if there is another attempt
   */
  async lookAgain(): Promise<LeftOut | undefined> {
    this.#budget.requireNewView(this.member.table.options)
    try {
      await this.#walk?.lookAgain()
      return undefined
    } catch (error) {
      return leftOutBy(error)
    }
  }
}

/**
 * A throttled shard map leaves the member unprocessed. Thrown as the batch's error, it would mean that nothing was
 * written, although other members may have been.
 * @throws any other error
 */
function leftOutBy(error: unknown): LeftOut {
  const throttle = throttleOf(error)
  if (throttle === undefined) throw error
  return { error: throttle.error }
}
