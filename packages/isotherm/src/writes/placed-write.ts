import {
  type AttributeValue,
  DeleteItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import type { Item } from '@isotherm/semantics'
import type { ShardedCall } from '../attempts/sharded-call.js'
import type { ItemKey } from '../keys/item-key.js'
import { physicalItemKey } from '../keys/physical-item-key.js'
import { MOVE_ATTRIBUTES, placementIn, type ShardView, stayedInUse } from '../protocol/index.js'
import { isRefusedByCondition } from '../sdk/condition-refusal.js'
import { attributesOf, type ItemWrite, type ItemWriteOutput } from '../sdk/item-write.js'
import type { AnyCommand } from '../sdk/physical-client.js'
import type { Expressions } from '../sdk/placeholders.js'
import { writeUnitsOf } from './item-units.js'
import { logicalCondition } from './logical-condition.js'
import { presentedRefusal } from './presented-output.js'
import { requireKeysKept } from './require-keys-kept.js'
import { guarded } from './write-condition.js'
import type { WrittenTable } from './written-table.js'

/** What came of a write to one place. */
export type WriteOutcome =
  | { readonly kind: 'written'; readonly output: ItemWriteOutput }
  /** The item that was there is there no more. */
  | { readonly kind: 'gone' }
  /** The item there is being moved. */
  | { readonly kind: 'moving'; readonly shard: number }

/** What is known of the item where a write goes. */
export interface Standing {
  /** Whether it was seen there, and is to be written nowhere else. */
  readonly exists: boolean
  /** The mark of the move that brought it there. A put would lose it, and who reads a page meanwhile needs it. */
  readonly moved?: AttributeValue | undefined
}

/** One write of the application, sent to the place where its item is. */
export class PlacedWrite {
  readonly call: ShardedCall<WrittenTable>
  readonly write: ItemWrite
  readonly key: ItemKey
  /** Its size in write units, as far as the request tells. */
  readonly units: number
  readonly #texts: Expressions
  /** Where an attempt without an answer may have created the item, or may do so yet. */
  #tie: { readonly shard: number; readonly view: ShardView; readonly error: unknown } | undefined

  constructor(call: ShardedCall<WrittenTable>, write: ItemWrite, key: ItemKey) {
    const { name, partitionKey } = call.table.options
    requireKeysKept(call.table.options, write)
    this.call = call
    this.write = write
    this.key = key
    this.units = writeUnitsOf(write)
    this.#texts = logicalCondition(write.input, {
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
   * @throws the service's refusal of the application's own condition, with logical keys; the error of an attempt without an
   * answer, where that one may leave a second copy in another shard
   */
  async at(view: ShardView, shard: number, { exists, moved }: Standing): Promise<WriteOutcome> {
    const { call, write } = this
    this.#requireTied(view, shard)
    const { log } = call.budget
    const { unanswered } = log
    const guards = { exists, unmoved: call.table.options.itemsMayMove }
    const command = this.#command(shard, guards, moved)
    call.context.carryMiddleware(command)
    try {
      const output = await call.write<ItemWriteOutput>(command, view, (throttle, attempt) =>
        this.throttled(shard, throttle, attempt),
      )
      this.accepted()
      return { kind: 'written', output }
    } catch (error) {
      if (!isRefusedByCondition(error)) throw error
      if (guards.unmoved && error.Item?.[MOVE_ATTRIBUTES.moving] !== undefined)
        return { kind: 'moving', shard }
      if (exists && error.Item === undefined) return { kind: 'gone' }
      throw presentedRefusal(
        call.table,
        this.key.logical,
        call.budget.counted(error),
        write.input.ReturnValuesOnConditionCheckFailure,
      )
    } finally {
      const isCreation = !exists && write.operation !== 'DeleteItem'
      if (isCreation && call.table.placementKind === 'random' && log.unanswered !== unanswered)
        this.#tie = { shard, view, error: log.unanswered }
    }
  }

  /** The shard where the item is created if it is nowhere. */
  homeIn(view: ShardView): number {
    return this.#tie?.shard ?? placementIn(this.call.table).home(view, this.key)
  }

  /** With a calculated suffix a change of the count waits for late attempts. */
  #requireTied(view: ShardView, shard: number): void {
    const tie = this.#tie
    if (tie === undefined) return
    if (shard !== tie.shard || !stayedInUse(shard, tie.view, view)) throw tie.error
  }

  /** Takes the copy out of the shard, whatever is in it. */
  async remove(view: ShardView, shard: number): Promise<void> {
    const { call } = this
    const command = new DeleteItemCommand({
      TableName: call.tableName,
      Key: physicalItemKey(call.table, this.key, shard),
      ...call.capacityAsked,
    })
    await call.write(command, view, (throttle, attempt) => this.throttled(shard, throttle, attempt))
  }

  throttled: OnShardThrottle = (shard, throttle, attempt) =>
    this.call.table.heat.throttled({ key: this.key.logical, shard, attempt, units: this.units, throttle })

  accepted(): void {
    this.call.table.heat.accepted(this.key.logical, this.units)
  }

  #command(
    shard: number,
    guards: { readonly exists: boolean; readonly unmoved: boolean },
    moved: AttributeValue | undefined,
  ): AnyCommand {
    const { call, write } = this
    const { options } = call.table
    const stored: Record<string, AttributeValue> = {
      ...attributesOf(write),
      ...physicalItemKey(call.table, this.key, shard),
    }
    const isGuarded = guards.exists || guards.unmoved
    const texts = {
      ...guarded(this.#texts, options.partitionKey, guards),
      // Tells why a condition failed: nothing there, being moved, or the application's own.
      ...(isGuarded ? ({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const) : {}),
    }
    if (write.operation === 'PutItem') {
      if (moved !== undefined) stored[MOVE_ATTRIBUTES.moved] = moved
      return new PutItemCommand({ ...write.input, ...texts, Item: stored })
    }
    if (write.operation === 'UpdateItem')
      return new UpdateItemCommand({ ...write.input, ...texts, Key: stored })
    return new DeleteItemCommand({ ...write.input, ...texts, Key: stored })
  }
}

type OnShardThrottle = (
  shard: number,
  throttle: Parameters<Parameters<ShardedCall['write']>[2]>[0],
  attempt: number,
) => Promise<unknown>
