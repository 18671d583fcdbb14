import type { EncodedKey } from '../keyspace/encoded-key.js'
import { inBackground } from '../storage/in-background.js'
import type { RecordChange, RecordValue } from '../storage/record.js'
import { Stream, type StreamParts, type StreamState, streamKeyspace, streamRecordName } from './stream.js'

/** All streams, including those of deleted tables, which remain readable for a day. */
export class Streams {
  readonly #parts: StreamParts
  readonly #streams = new Map<string, Stream>()

  constructor(parts: StreamParts) {
    this.#parts = parts
  }

  /** Loads a stored stream. */
  load(state: RecordValue): void {
    const stream = new Stream(state as unknown as StreamState, this.#parts)
    this.#streams.set(stream.state.arn, stream)
  }

  /** Removes streams that have no readable records any more. */
  sweep(now: number): void {
    for (const arn of [...this.#streams.keys()]) this.get(arn, now)
  }

  create(state: Omit<StreamState, 'shards'>, borders: readonly EncodedKey[]): Stream {
    this.sweep(state.createdAt)
    const stream = Stream.create(state, borders, this.#parts)
    this.#streams.set(state.arn, stream)
    return stream
  }

  has(arn: string): boolean {
    return this.#streams.has(arn)
  }

  /** The stream of that ARN, or `undefined` when it does not exist or nothing of it is readable. */
  get(arn: string, now: number): Stream | undefined {
    const stream = this.#streams.get(arn)
    if (stream === undefined || !stream.isOver(now)) return stream
    this.#streams.delete(arn)
    const record = { name: streamRecordName(arn), value: undefined }
    inBackground(this.#parts.storage.drop([streamKeyspace(arn)], [record]))
    return undefined
  }

  /** The streams of a region, or of one of its tables, sorted by ARN. */
  list(region: string, tableName: string | undefined, now: number): readonly Stream[] {
    const arns = [...this.#streams.keys()].sort()
    const streams = arns.map((arn) => this.get(arn, now)).filter((stream) => stream !== undefined)
    return streams.filter(
      ({ state }) => state.region === region && (tableName === undefined || state.tableName === tableName),
    )
  }

  /** Forgets all streams. */
  clear(): void {
    this.#streams.clear()
  }

  /** The records that store all streams. */
  get records(): readonly RecordChange[] {
    return [...this.#streams.values()].map(({ record }) => record)
  }
}
