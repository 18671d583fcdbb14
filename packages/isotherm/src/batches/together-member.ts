import type { WriteRequest } from '@aws-sdk/client-dynamodb'
import { AttemptBudget } from '../attempts/attempt-budget.js'
import type { Refusal } from '../attempts/attempt-loop.js'
import { placementIn, type ShardView } from '../protocol/index.js'
import { ShardWalk } from '../writes/shard-walk.js'
import type { ShardedWriteMember } from './batch-write-plan.js'
import { type LeftOut, type MemberInBatch, placedRequest, unitsOf } from './member-in-batch.js'
import { refusalOf } from './refusal-of.js'

/** The progress of a member through batches: from shard to shard with a random suffix, or again to its own shard. */
export class TogetherMember implements MemberInBatch {
  readonly member: ShardedWriteMember
  readonly #units: number
  readonly #budget: AttemptBudget
  readonly #walk: ShardWalk | undefined
  readonly #place: number

  private constructor(member: ShardedWriteMember, view: ShardView, abortSignal: AbortSignal | undefined) {
    const { table, itemKey } = member
    this.member = member
    this.#units = unitsOf(member)
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

  get validUntil(): number {
    return this.#walk?.view.validUntil ?? Number.POSITIVE_INFINITY
  }

  get request(): WriteRequest {
    return placedRequest(this.member, this.shard)
  }

  /** In its own shard the member can be written again. */
  unanswered(error: unknown): void {
    if (this.#walk !== undefined) this.#budget.unanswered = error
  }

  written(): void {
    const { table, itemKey } = this.member
    table.heat.accepted(itemKey.logical, this.#units)
    this.#walk?.accepted()
  }

  /** Chooses the shard of the next attempt. */
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

  async lookAgain(): Promise<LeftOut | undefined> {
    try {
      this.#budget.requireNewView(this.member.table.options)
      await this.#walk?.lookAgain()
      return undefined
    } catch (error) {
      return leftOutBy(error)
    }
  }
}

/** @throws an error after which the member may have been written, or that fails every member */
function leftOutBy(failure: unknown): LeftOut {
  const error = refusalOf(failure)
  if (error === undefined) throw failure
  return { error }
}
