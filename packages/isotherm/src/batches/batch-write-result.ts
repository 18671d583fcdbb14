import type {
  BatchWriteItemCommandInput,
  BatchWriteItemCommandOutput,
  ConsumedCapacity,
  ItemCollectionMetrics,
  ReturnConsumedCapacity,
  ReturnItemCollectionMetrics,
  WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { SummedMetadata } from '../attempts/summed-metadata.js'
import { CapacityByTable } from '../sdk/consumed-capacity.js'
import type { WriteMember } from './batch-write-plan.js'

type Metrics = Readonly<Record<string, readonly ItemCollectionMetrics[]>>

/** The result of a batch, collected from all its requests. */
export class BatchWriteResult {
  readonly metadata = new SummedMetadata()
  readonly #input: BatchWriteItemCommandInput
  readonly #capacity = new CapacityByTable()
  readonly #metrics = new Map<string, ItemCollectionMetrics[]>()
  readonly #unprocessed = new Map<string, WriteRequest[]>()
  #unprocessedCount = 0
  #refusal: Error | undefined

  constructor(input: BatchWriteItemCommandInput) {
    this.#input = input
  }

  /** The parameters by which each request asks for capacity and metrics. */
  get asked(): {
    ReturnConsumedCapacity?: ReturnConsumedCapacity
    ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
  } {
    const { ReturnConsumedCapacity, ReturnItemCollectionMetrics } = this.#input
    return {
      ...(ReturnConsumedCapacity === undefined ? {} : { ReturnConsumedCapacity }),
      ...(ReturnItemCollectionMetrics === undefined ? {} : { ReturnItemCollectionMetrics }),
    }
  }

  /** @param metrics with logical keys */
  add(capacity: readonly ConsumedCapacity[] | undefined, metrics: Metrics | undefined): void {
    this.#capacity.add(capacity)
    for (const [tableName, entries] of Object.entries(metrics ?? {})) {
      this.#metrics.set(tableName, [...(this.#metrics.get(tableName) ?? []), ...entries])
    }
  }

  /** @param refusal the error of the member, if there was one */
  leaveOut({ tableName, given }: WriteMember, refusal?: Error): void {
    this.#unprocessed.set(tableName, [...(this.#unprocessed.get(tableName) ?? []), given])
    this.#unprocessedCount += 1
    this.#refusal ??= refusal
  }

  /** @throws the service's throttling error when no member was written, as the service does */
  output(members: number): BatchWriteItemCommandOutput {
    const metadata = this.metadata.total()
    if (this.#unprocessedCount === members && this.#refusal !== undefined) {
      throw this.metadata.counted(this.#refusal)
    }
    return {
      $metadata: metadata,
      UnprocessedItems: Object.fromEntries(this.#unprocessed),
      ...(this.#metrics.size === 0 ? {} : { ItemCollectionMetrics: Object.fromEntries(this.#metrics) }),
      ...this.#capacity.answer(this.#input.ReturnConsumedCapacity),
    }
  }
}
