import type { IndexDefinition, KeyDefinition, TableDefinition } from './table-definition.js'

/** The key of a table or an index, and whose it is. */
export interface OwnedKey {
  readonly key: KeyDefinition
  /** Missing for the table itself. */
  readonly index?: IndexDefinition
}

/** The keys of a table and its global indexes: those that decide about partitions. Local indexes use the table's. */
export function partitionedKeys({ key, indexes }: TableDefinition): readonly OwnedKey[] {
  return [
    { key },
    ...indexes.filter(({ kind }) => kind === 'global').map((index) => ({ key: index.key, index })),
  ]
}

/** The names of all key attributes of a table and its indexes. */
export function keyNames({ key, indexes }: TableDefinition): ReadonlySet<string> {
  const keys = [key, ...indexes.map((index) => index.key)]
  return new Set(keys.flatMap(({ partition, sort }) => [...partition, ...sort]).map(({ name }) => name))
}
