/** Options of a table's stored keys. */
export interface KeyOptions {
  /** The name of the table's partition key attribute, which must be a string or binary. */
  readonly partitionKey: string
  /** The name of the table's sort key attribute, if it has one. */
  readonly sortKey?: string | undefined
  /**
   * The text between the logical key and the shard number: one to 16 characters, without digits. The default is `_`.
   */
  readonly delimiter?: string | undefined
  /**
   * Whether shard 1 uses the key without a suffix, so that existing items of a table stay valid. The default is
   * `false`. Check the table first with `isotherm adopt --check`, and never change this option afterwards.
   */
  readonly adopt?: boolean | undefined
}
