/** The numbers by which streams behave. */
export interface StreamParameters {
  /**
   * How long a record can be read. Documented:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
   */
  readonly streamRetentionMilliseconds: number
  /**
   * After how long a shard is closed and goes on in one child, though its partition was not cut. That shards are
   * short-lived is documented; the four hours are not, and are what people observe.
   */
  readonly streamShardMilliseconds: number
}

export const DEFAULT_STREAMS: StreamParameters = {
  streamRetentionMilliseconds: 24 * 3_600_000,
  streamShardMilliseconds: 4 * 3_600_000,
}
