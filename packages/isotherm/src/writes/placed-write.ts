import {
  type AttributeValue,
  DeleteItemCommand,
  type DeleteItemCommandInput,
  type DeleteItemCommandOutput,
  PutItemCommand,
  type PutItemCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb'
import type { Item } from '@isotherm/semantics'
import type { OnThrottle } from '../attempts/attempt-loop.js'
import type { ItemCall } from '../attempts/item-call.js'
import {
  type Answered,
  CHANGED,
  type Changed,
  type Outcome,
  type Stale,
  unlessFailed,
} from '../attempts/outcome.js'
import type { ItemKey } from '../keys/item-key.js'
import { physicalItemKey } from '../keys/physical-item-key.js'
import { MOVE_ATTRIBUTES, placementIn, type ShardView, stayedInUse } from '../protocol/index.js'
import { isRefusedByCondition } from '../sdk/condition-refusal.js'
import { attributesOf, type ItemWrite, type ItemWriteOutput } from '../sdk/item-write.js'
import type { AnyCommand } from '../sdk/physical-client.js'
import type { Expressions } from '../sdk/placeholders.js'
import { sourceThrottled } from './hot-sources.js'
import { writeUnitsOf } from './item-units.js'
import { logicalCondition } from './logical-condition.js'
import { presentedRefusal } from './presented-output.js'
import { requireKeysKept } from './require-keys-kept.js'
import { type Guards, guarded } from './write-condition.js'
import type { WrittenTable } from './written-table.js'

/** The result of a write to one shard. */
export type WriteOutcome =
  | Answered<ItemWriteOutput>
  | Stale
  /** The item no longer exists in the shard, or an item exists there now. */
  | Changed
  /** The item in the shard is being moved. */
  | { readonly kind: 'moving'; readonly shard: number }

/** What is known about the item in the shard of a write. */
export interface Standing {
  /** Whether the item was found there, and must not be written elsewhere. */
  readonly exists: boolean
  /**
   * The mark of the move that brought the item there. A put preserves it, because a process that is reading a page
   * needs it.
   */
  readonly moved?: AttributeValue | undefined
}

/** The input of a request to a shard, before its command is created. */
type StoredInput = Expressions &
  Pick<PutItemCommandInput, 'TableName'> & {
    Item?: PutItemCommandInput['Item']
    Key?: UpdateItemCommandInput['Key']
    ReturnValuesOnConditionCheckFailure?: PutItemCommandInput['ReturnValuesOnConditionCheckFailure']
  }

/** A write that was sent to a shard. */
interface SentWrite {
  readonly view: ShardView
  readonly shard: number
  readonly guards: Guards
  /** The last attempt without a response before it. */
  readonly unanswered: unknown
}

/** One write of the application, sent to the shard of its item. */
export class PlacedWrite {
  readonly call: ItemCall<WrittenTable>
  readonly write: ItemWrite
  readonly key: ItemKey
  /** Its size in write units, as far as the request shows it. */
  readonly units: number
  /** The application's request, with a condition on the stored item. */
  readonly #input: StoredInput
  /** The shard where an attempt without a response may have created the item, or may still create it. */
  #tie: { readonly shard: number; readonly view: ShardView; readonly error: unknown } | undefined

  constructor(call: ItemCall<WrittenTable>, write: ItemWrite, key: ItemKey) {
    const { name, partitionKey } = call.table.options
    requireKeysKept(call.table.options, write)
    this.call = call
    this.write = write
    this.key = key
    this.units = writeUnitsOf(write)
    const input: StoredInput = write.input
    this.#input =
      input.ConditionExpression === undefined
        ? input
        : logicalCondition(input, {
            table: name,
            operation: write.operation,
            partitionKey,
            key: this.keyAttributes,
          })
    call.table.heat.offered(key.logical, this.units)
  }

  /** The primary key, as the application knows it. */
  get keyAttributes(): Item {
    const { partitionKey, sortKey } = this.call.table.options
    const { logical, sort } = this.key
    const key = { [partitionKey]: { ...logical } }
    return (sortKey === undefined || sort === undefined ? key : { ...key, [sortKey]: sort }) as Item
  }

  /**
   * Writes to the shard.
   * @throws the service's error for the application's own condition, with logical keys; the error of an attempt without
   * a response, if another attempt could create a second copy in another shard
   */
  at(view: ShardView, shard: number, { exists, moved }: Standing): Promise<WriteOutcome> {
    const { call } = this
    this.#requireTied(view, shard)
    const { unanswered } = call.budget
    const guards = { exists, unmoved: call.table.options.itemsMayMove }
    const command = this.#command(shard, guards, moved)
    call.context.carryMiddleware(command)
    return call
      .write<ItemWriteOutput>(command, view, this.onThrottleOf(shard))
      .then((outcome) => this.#judged(outcome, { view, shard, guards, unanswered }))
  }

  /** @throws as `at` */
  #judged(outcome: Outcome<ItemWriteOutput>, { view, shard, guards, unanswered }: SentWrite): WriteOutcome {
    const { call, write } = this
    const { budget } = call
    const { exists } = guards
    const isCreation = !exists && write.operation !== 'DeleteItem'
    if (isCreation && call.table.placementKind === 'random' && budget.unanswered !== unanswered)
      this.#tie = { shard, view, error: budget.unanswered }
    if (outcome.kind === 'answered') this.accepted()
    if (outcome.kind !== 'failed' || !isRefusedByCondition(outcome.error)) return unlessFailed(outcome)
    const { error } = outcome
    if (guards.unmoved && error.Item?.[MOVE_ATTRIBUTES.moving] !== undefined) return { kind: 'moving', shard }
    if (exists && error.Item === undefined) return CHANGED
    throw presentedRefusal(
      call.table,
      this.key.logical,
      budget.metadata.counted(error),
      write.input.ReturnValuesOnConditionCheckFailure,
    )
  }

  /** The shard where the item is created if it does not exist. */
  homeIn(view: ShardView): number {
    return this.#tie?.shard ?? placementIn(this.call.table).home(view, this.key)
  }

  /** Only with a random suffix: with a calculated one, a change of the shard count waits for late attempts. */
  #requireTied(view: ShardView, shard: number): void {
    const tie = this.#tie
    if (tie === undefined) return
    if (shard !== tie.shard || !stayedInUse(shard, tie.view, view, this.call.table)) throw tie.error
  }

  /** Deletes the copy in the shard, without a condition. */
  async remove(view: ShardView, shard: number): Promise<Answered<DeleteItemCommandOutput> | Stale> {
    const { call } = this
    const command = new DeleteItemCommand({
      TableName: call.tableName,
      Key: physicalItemKey(call.table, this.key, shard),
      ...call.capacityAsked,
    })
    return unlessFailed(await call.write<DeleteItemCommandOutput>(command, view, this.onThrottleOf(shard)))
  }

  /** The application's condition, with the library's own. */
  conditionWith(guards: Guards): Expressions {
    const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = this.#input
    const texts = { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues }
    return guarded(texts, this.call.table.options.partitionKey, guards)
  }

  onThrottleOf(shard: number): OnThrottle {
    return (reasons, attempt) => {
      const { key, units, call } = this
      sourceThrottled(call.table, key.logical)
      return call.table.heat.throttled({ key: key.logical, shard, units, item: key.sort, attempt, reasons })
    }
  }

  accepted(): void {
    this.call.table.heat.accepted(this.key.logical, this.units)
  }

  #command(shard: number, guards: Guards, moved: AttributeValue | undefined): AnyCommand {
    const { call, write } = this
    const { options } = call.table
    const stored = physicalItemKey(call.table, this.key, shard, attributesOf(write))
    const texts = guarded(this.#input, options.partitionKey, guards)
    const input: StoredInput = texts === this.#input ? { ...texts } : texts
    // The old item shows why a condition failed: it is missing, it is being moved, or the application's own condition is
    // false.
    if (guards.exists || guards.unmoved) input.ReturnValuesOnConditionCheckFailure = 'ALL_OLD'
    if (write.operation === 'PutItem') {
      if (moved !== undefined) stored[MOVE_ATTRIBUTES.moved] = moved
      input.Item = stored
      return new PutItemCommand(input as PutItemCommandInput)
    }
    input.Key = stored
    return write.operation === 'UpdateItem'
      ? new UpdateItemCommand(input as UpdateItemCommandInput)
      : new DeleteItemCommand(input as DeleteItemCommandInput)
  }
}
