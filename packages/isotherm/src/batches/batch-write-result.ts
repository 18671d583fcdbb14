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

/** What comes of a batch, gathered from all the requests that it takes. */
export class BatchWriteResult {
  readonly metadata = new SummedMetadata()
  readonly #input: BatchWriteItemCommandInput
  readonly #capacity = new CapacityByTable()
  readonly #metrics: Record<string, ItemCollectionMetrics[]> = {}
  readonly #unprocessed: Record<string, WriteRequest[]> = {}
  #unprocessedCount = 0
  #refusal: Error | undefined

  constructor(input: BatchWriteItemCommandInput) {
    this.#input = input
  }

  /** What each of the requests asks to be told. */
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

  /** @param metrics under logical keys */
  add(capacity: readonly ConsumedCapacity[] | undefined, metrics: Metrics | undefined): void {
    this.#capacity.add(capacity)
    for (const [tableName, entries] of Object.entries(metrics ?? {})) {
      const list = this.#metrics[tableName] ?? []
      list.push(...entries)
      this.#metrics[tableName] = list
    }
  }

  /** @param refusal the error that the member was refused with, where there was one */
  leaveOut({ tableName, given }: WriteMember, refusal?: Error): void {
    const list = this.#unprocessed[tableName] ?? []
    list.push(given)
    this.#unprocessed[tableName] = list
    this.#unprocessedCount += 1
    this.#refusal ??= refusal
  }

  /** @throws the service's throttling error where not one of the members was written, as the service does */
  output(members: number): BatchWriteItemCommandOutput {
    const metadata = this.metadata.total()
    if (this.#unprocessedCount === members && this.#refusal !== undefined) {
      throw this.metadata.counted(this.#refusal)
    }
    return {
      $metadata: metadata,
      UnprocessedItems: this.#unprocessed,
      ...(Object.keys(this.#metrics).length === 0 ? {} : { ItemCollectionMetrics: this.#metrics }),
      ...this.#capacity.answer(this.#input.ReturnConsumedCapacity),
    }
  }
}
