/** What a pattern needs of its table. */
export interface ExpectedTable {
  /** The function that the application called. Its options are named in errors. */
  readonly pattern: 'counter' | 'large' | 'pool' | 'queue'
  readonly table: string
  /** The partition key, and the sort key if the options name one. */
  readonly keys: readonly string[]
  /** The type that the keys must have. Without it, any. */
  readonly keyType?: 'S'
  readonly index?: ExpectedIndex
}

/** The sparse index of a pattern. */
export interface ExpectedIndex {
  readonly name: string
  /** `undefined` if the library may shard the index, whose key is another attribute then. */
  readonly partitionKey: string | undefined
  /** A number. */
  readonly sortKey: string
  /** The option that names the sort key. */
  readonly sortOption: 'place' | 'due'
  /** The function that returns the definition of a table with the index. */
  readonly definedBy: 'poolTable' | 'queueTable'
}

/** The sparse index as the options of a pattern describe it. */
export function sparseIndexOf(
  options: { readonly index: string; readonly indexKey: string; readonly shards: number },
  sortKey: string,
  names: Pick<ExpectedIndex, 'sortOption' | 'definedBy'>,
): ExpectedIndex {
  const partitionKey = options.shards === 1 ? undefined : options.indexKey
  return { name: options.index, partitionKey, sortKey, ...names }
}

/** The attributes of a primary key. */
export function keysOf({
  partitionKey,
  sortKey,
}: {
  readonly partitionKey: string
  readonly sortKey: string | undefined
}): readonly string[] {
  return sortKey === undefined ? [partitionKey] : [partitionKey, sortKey]
}
