/** The numbers that decide how streams behave. */
export interface StreamParameters {
  /**
   * How long a record can be read. Documented:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
   */
  readonly streamRetentionMilliseconds: number
  /**
   * After how long a shard is closed and continued by one child, even though its partition was not split. It is
   * documented that shards are short-lived. The four hours are an observation by users.
   */
  readonly streamShardMilliseconds: number
}

export const DEFAULT_STREAMS: StreamParameters = {
  streamRetentionMilliseconds: 24 * 3_600_000,
  streamShardMilliseconds: 4 * 3_600_000,
}
