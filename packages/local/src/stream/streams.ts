import type { EncodedKey } from '../keyspace/encoded-key.js'
import { inBackground } from '../storage/in-background.js'
import type { RecordChange, RecordValue } from '../storage/storage.js'
import { Stream, type StreamParts, type StreamState, streamKeyspace, streamRecordName } from './stream.js'

/** All streams, those of tables that are gone included: what they hold can be read for another day. */
export class Streams {
  readonly #parts: StreamParts
  readonly #streams = new Map<string, Stream>()

  constructor(parts: StreamParts) {
    this.#parts = parts
  }

  /** Takes up a stream that a store has kept. */
  load(state: RecordValue): void {
    const stream = new Stream(state as unknown as StreamState, this.#parts)
    this.#streams.set(stream.state.arn, stream)
  }

  /** Lets go of streams of which nothing can be read any more. */
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

  /** The stream of that ARN; nothing when there is none, or nothing of it is left. */
  get(arn: string, now: number): Stream | undefined {
    const stream = this.#streams.get(arn)
    if (stream === undefined || !stream.isOver(now)) return stream
    this.#streams.delete(arn)
    const record = { name: streamRecordName(arn), value: undefined }
    inBackground(this.#parts.storage.drop([streamKeyspace(arn)], [record]))
    return undefined
  }

  /** The streams of a region, or of one table of it, by ARN. */
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

  /** Every stream as a store keeps it. */
  get records(): readonly RecordChange[] {
    return [...this.#streams.values()].map(({ record }) => record)
  }
}
