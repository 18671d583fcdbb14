import {
  type BatchWriteItemCommandInput,
  type BatchWriteItemCommandOutput,
  ProvisionedThroughputExceededException,
  PutItemCommand,
  type PutItemCommandOutput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { AttemptBudget } from '../attempts/attempt-budget.js'
import { sendUntilAnswered } from '../attempts/attempt-loop.js'
import { itemName } from '../keys/item-name.js'
import { CapacityByTable } from '../sdk/consumed-capacity.js'
import { tableNameOf } from '../sdk/tables-by-name.js'
import { notedIn } from './index-write.js'
import { OtherShards, type UnshardedWrite } from './write-unsharded.js'

type RequestItems = NonNullable<BatchWriteItemCommandInput['RequestItems']>
type Metrics = NonNullable<BatchWriteItemCommandOutput['ItemCollectionMetrics']>[string]

/**
 * Waits for unprocessed members are this many times longer than for single writes. So the attempts of a batch last for
 * some seconds, in which the count grows. A loop of batches also slows down by that while the index is full.
 */
const PATIENCE = 4

/** A member of a batch that the service left unprocessed. */
interface Left {
  readonly tableName: string
  /** As in the application's request. */
  readonly given: WriteRequest
  /** As it was sent. */
  readonly sent: WriteRequest
}

/**
 * Writes a batch to tables that are not sharded themselves, and sends unprocessed members again: to other shards of
 * their indexes, within the attempts and the time of single writes.
 *
 * The service gives no reason for an unprocessed member. So one of them is sent again by itself, to the same shard. If
 * it is throttled, its error names the reason, which then stands for the members with the same value in the index.
 *
 * @throws the service's throttling error when no member was written, as the service does; the SDK's own errors
 */
export async function batchWriteUnsharded(write: UnshardedWrite): Promise<BatchWriteItemCommandOutput> {
  return new UnshardedBatch(write).written()
}

class UnshardedBatch {
  readonly #write: UnshardedWrite
  readonly #input: BatchWriteItemCommandInput
  readonly #budget: AttemptBudget
  readonly #capacity = new CapacityByTable()
  readonly #metrics = new Map<string, Metrics>()
  /** Members of tables without dynamic indexes, as the service returned them. */
  readonly #others: Record<string, WriteRequest[]> = {}

  constructor(write: UnshardedWrite) {
    this.#write = write
    this.#input = write.request.input as unknown as BatchWriteItemCommandInput
    this.#budget = new AttemptBudget(write.table, write.options?.abortSignal)
  }

  async written(): Promise<BatchWriteItemCommandOutput> {
    const { table, options, shadowed } = this.#write
    let asked = shadowed.asked as unknown as BatchWriteItemCommandInput
    let input = this.#write.request.input
    for (let isFirst = true; ; isFirst = false) {
      const course = new OtherShards(this.#write, this.#budget, { ...asked }, input)
      const outcome = await sendUntilAnswered<BatchWriteItemCommandOutput>(table.client, options, course)
      if (outcome.kind === 'failed') throw outcome.error
      if (outcome.kind !== 'answered') {
        if (isFirst && outcome.kind === 'refused') throw outcome.error
        return this.#output(asked.RequestItems ?? {})
      }
      this.#add(outcome.output)
      const left = await this.#sampled(this.#leftOf(outcome.output, asked, course.input))
      asked = { ...asked, RequestItems: requestsOf(left) }
      if (left.length === 0 || !(await this.#mayGoOn(left.length))) return this.#output(requestsOf(left))
      shadowed.choice.again()
      input = await shadowed.extended({ ...asked })
    }
  }

  /** The unprocessed members of a response. */
  #leftOf(
    { UnprocessedItems = {} }: BatchWriteItemCommandOutput,
    asked: BatchWriteItemCommandInput,
    input: UnshardedWrite['request']['input'],
  ): readonly Left[] {
    const sentItems = (input as unknown as BatchWriteItemCommandInput).RequestItems ?? {}
    return Object.entries(UnprocessedItems).flatMap(([tableName, unprocessed]) => {
      const keys = this.#write.shadowed.tables.of(tableName)?.keys
      if (keys === undefined) {
        this.#others[tableName] = unprocessed
        return []
      }
      const nameOf = ({ PutRequest, DeleteRequest }: WriteRequest) =>
        itemName(keys, PutRequest?.Item ?? DeleteRequest?.Key ?? {})
      const names = new Set(unprocessed.map(nameOf))
      // The response to a request by ARN may contain the name, or the reverse.
      const askedAs = Object.keys(sentItems).filter((name) => tableNameOf(name) === tableNameOf(tableName))
      return askedAs.flatMap((name) => {
        const given = asked.RequestItems?.[name] ?? []
        return (sentItems[name] ?? []).flatMap((sent, position) => {
          const member = given[position]
          const isLeft = member !== undefined && names.has(nameOf(sent))
          return isLeft ? [{ tableName: name, given: member, sent }] : []
        })
      })
    })
  }

  /** Sends one of the members by itself. @returns the members that remain */
  async #sampled(left: readonly Left[]): Promise<readonly Left[]> {
    const sample = left.find(({ sent }) => notedIn(sent.PutRequest?.Item).length > 0)
    if (sample === undefined) return left
    const { table, options } = this.#write
    const { ReturnConsumedCapacity, ReturnItemCollectionMetrics } = this.#input
    const command = new PutItemCommand({
      TableName: sample.tableName,
      Item: sample.sent.PutRequest?.Item,
      ...(ReturnConsumedCapacity === undefined ? {} : { ReturnConsumedCapacity }),
      ...(ReturnItemCollectionMetrics === undefined ? {} : { ReturnItemCollectionMetrics }),
    })
    const request = {
      command,
      clock: table.clock,
      validUntil: Number.POSITIVE_INFINITY,
      log: this.#budget,
    }
    const { metadata } = this.#budget
    const outcome = await sendUntilAnswered<PutItemCommandOutput>(table.client, options, {
      budget: { metadata, refused: async ({ error }) => error },
      next: () => request,
    })
    if (outcome.kind === 'failed') throw outcome.error
    if (outcome.kind === 'answered') {
      this.#addPut(sample.tableName, outcome.output)
      return left.filter((member) => member !== sample)
    }
    if (outcome.kind === 'refused') this.#judge(sample, left, outcome.error)
    return left
  }

  /** Applies the reason of the sample to the other members with its values. */
  #judge(sample: Left, left: readonly Left[], error: Error): void {
    const hot = notedIn(sample.sent.PutRequest?.Item).filter((write) => write.isThrottledBy(error))
    for (const { sent } of left) {
      for (const write of notedIn(sent.PutRequest?.Item)) {
        if (hot.some((other) => other.isLike(write))) write.leftOut()
      }
    }
  }

  async #mayGoOn(members: number): Promise<boolean> {
    const error = new ProvisionedThroughputExceededException({
      message: `The batch left ${members} of its members unprocessed.`,
      $metadata: { httpStatusCode: 400 },
    })
    const beforeNext = () => this.#budget.wait(error, PATIENCE)
    return (await this.#budget.refused({ error }, 1, { beforeNext })) === undefined
  }

  #add({ ConsumedCapacity, ItemCollectionMetrics = {} }: BatchWriteItemCommandOutput): void {
    this.#capacity.add(ConsumedCapacity)
    for (const [tableName, entries] of Object.entries(ItemCollectionMetrics)) {
      this.#addMetrics(tableName, entries)
    }
  }

  #addPut(tableName: string, { ConsumedCapacity, ItemCollectionMetrics }: PutItemCommandOutput): void {
    if (ConsumedCapacity !== undefined) this.#capacity.add([ConsumedCapacity])
    if (ItemCollectionMetrics !== undefined) this.#addMetrics(tableName, [ItemCollectionMetrics])
  }

  #addMetrics(tableName: string, entries: Metrics): void {
    this.#metrics.set(tableName, [...(this.#metrics.get(tableName) ?? []), ...entries])
  }

  #output(left: RequestItems): BatchWriteItemCommandOutput {
    return {
      $metadata: this.#budget.metadata.total(),
      UnprocessedItems: { ...this.#others, ...left },
      ...(this.#metrics.size === 0 ? {} : { ItemCollectionMetrics: Object.fromEntries(this.#metrics) }),
      ...this.#capacity.answer(this.#input.ReturnConsumedCapacity),
    }
  }
}

function requestsOf(members: readonly Left[]): RequestItems {
  // A table can have the name of a property that every object has, such as `constructor`.
  const requests = new Map<string, WriteRequest[]>()
  for (const { tableName, given } of members) {
    const list = requests.get(tableName) ?? []
    list.push(given)
    requests.set(tableName, list)
  }
  return Object.fromEntries(requests)
}
