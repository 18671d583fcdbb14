/** How a table's keys are stored. */
export interface KeyOptions {
  /** Name of the table's partition key attribute; it must be a string or binary. */
  readonly partitionKey: string
  /** Name of the table's sort key attribute, if it has one. */
  readonly sortKey?: string
  /** What stands between logical key and shard number: one to 16 characters, no digits. Default `_`. */
  readonly delimiter?: string
  /**
   * Whether shard 1 is the bare key, so that a table with items in it is sharded as it stands. Default `false`. Check the
   * table first with `isotherm adopt --check`, and never change it afterwards.
   */
  readonly adopt?: boolean
}
