import type { WriteRequest } from '@aws-sdk/client-dynamodb'
import { possibleShards, type ShardView } from '../protocol/index.js'
import type { ShardedWriteMember } from './batch-write-plan.js'
import { type Left, type MemberInBatch, placedRequest, unitsOf } from './member-in-batch.js'

/**
 * A member with a calculated suffix in a table whose counts may change. It is sent in one batch, to the one shard where its item may be.
 * If the service leaves it unprocessed, it is written by itself, as a single write is.
 *
 * A batch has no conditions, so nothing in the request keeps it from replacing an item that is being moved. Nothing has to: items move
 * only when no request of a view in which they had one place can take effect any more.
 */
export class OnceMember implements MemberInBatch {
  readonly member: ShardedWriteMember
  readonly #shard: number
  readonly #view: ShardView

  private constructor(member: ShardedWriteMember, shard: number, view: ShardView) {
    this.member = member
    this.#shard = shard
    this.#view = view
  }

  /** @returns `undefined` for an item that may be in several shards */
  static async begin(member: ShardedWriteMember): Promise<OnceMember | undefined> {
    const { table, itemKey } = member
    const view = await table.views.forWrite(itemKey.logical)
    const [shard, ...others] = possibleShards(table, view, itemKey, member.given.PutRequest !== undefined)
    // mark: batch-writes-no-moving-item
    const mayMove = others.length > 0
    return mayMove || shard === undefined ? undefined : new OnceMember(member, shard, view)
  }

  get validUntil(): number {
    return this.#view.validUntil
  }

  get request(): WriteRequest {
    return placedRequest(this.member, this.#shard)
  }

  /** In its own shard the member can be written again. */
  unanswered(): void {}

  written(): void {
    const { table, itemKey } = this.member
    const units = unitsOf(this.member)
    table.heat.offered(itemKey.logical, units)
    table.heat.accepted(itemKey.logical, units)
  }

  /** Its key gets the heat of the single write. */
  refused(): Promise<Left> {
    return Promise.resolve('singly')
  }

  lookAgain(): Promise<Left> {
    return Promise.resolve('singly')
  }
}
