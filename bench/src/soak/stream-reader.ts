import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams'
import type { Clock } from '@isotherm/runtime'

const PAUSE_MILLISECONDS = 500

/** How far one shard of the stream was read. */
interface ShardPosition {
  lastSequenceNumber?: string
  /** Iterators end with the process that gave them, and then the sequence number says where to continue. */
  iterator?: string
  isAtEnd: boolean
}

/** Reads all records of a stream once, and continues where it was after the service was killed. */
export class StreamReader {
  readonly #client: DynamoDBStreamsClient
  readonly #stream: string
  readonly #onRecord: (record: StreamRecord) => void
  readonly #positions = new Map<string, ShardPosition>()
  #records = 0

  constructor(client: DynamoDBStreamsClient, stream: string, onRecord: (record: StreamRecord) => void) {
    this.#client = client
    this.#stream = stream
    this.#onRecord = onRecord
  }

  get records(): number {
    return this.#records
  }

  async readUntil(isOver: () => boolean, clock: Clock): Promise<void> {
    while (!isOver()) {
      // The service may be down at the moment, and the next round asks again.
      await this.#readOnce().catch(() => undefined)
      await clock.sleep(PAUSE_MILLISECONDS)
    }
  }

  async #readOnce(): Promise<void> {
    await this.#findShards()
    for (const [shard, position] of this.#positions) {
      if (!position.isAtEnd) await this.#readShard(shard, position)
    }
  }

  async #findShards(): Promise<void> {
    let ExclusiveStartShardId: string | undefined
    do {
      const { StreamDescription } = await this.#client.send(
        new DescribeStreamCommand({ StreamArn: this.#stream, ExclusiveStartShardId }),
      )
      for (const { ShardId } of StreamDescription?.Shards ?? []) {
        if (ShardId !== undefined && !this.#positions.has(ShardId)) {
          this.#positions.set(ShardId, { isAtEnd: false })
        }
      }
      ExclusiveStartShardId = StreamDescription?.LastEvaluatedShardId
    } while (ExclusiveStartShardId !== undefined)
  }

  /** Until it has no more records at the moment. */
  async #readShard(shard: string, position: ShardPosition): Promise<void> {
    for (;;) {
      const ShardIterator = position.iterator ?? (await this.#iteratorOf(shard, position))
      delete position.iterator
      const { Records = [], NextShardIterator } = await this.#client.send(
        new GetRecordsCommand({ ShardIterator }),
      )
      for (const record of Records) {
        this.#onRecord(record)
        this.#records++
        const sequenceNumber = record.dynamodb?.SequenceNumber
        if (sequenceNumber !== undefined) position.lastSequenceNumber = sequenceNumber
      }
      if (NextShardIterator === undefined) {
        position.isAtEnd = true
        return
      }
      position.iterator = NextShardIterator
      if (Records.length === 0) return
    }
  }

  async #iteratorOf(ShardId: string, { lastSequenceNumber }: ShardPosition): Promise<string | undefined> {
    const place =
      lastSequenceNumber === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' as const }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: lastSequenceNumber }
    const { ShardIterator } = await this.#client.send(
      new GetShardIteratorCommand({ StreamArn: this.#stream, ShardId, ...place }),
    )
    return ShardIterator
  }
}
