import type { SourceTable } from './console-source.js'

/** The name of a shard map is that of its table with this ending. */
export const SHARD_MAP = '_shard_map'
const DEFAULT_DELIMITER = '_'

/** Tables with their shard maps. A table beside which there is a shard map has keys with suffixes of the default delimiter. */
export function withShardMaps(
  tables: readonly Pick<SourceTable, 'region' | 'name' | 'globalIndexes'>[],
  delimiters: Readonly<Record<string, string>> = {},
): readonly SourceTable[] {
  const names = new Set(tables.map(({ region, name }) => `${region}/${name}`))
  return tables.map((table) => {
    const name = `${table.name}${SHARD_MAP}`
    const shardMap = names.has(`${table.region}/${name}`) ? name : undefined
    const given = Object.hasOwn(delimiters, table.name) ? delimiters[table.name] : undefined
    return { ...table, delimiter: given ?? (shardMap === undefined ? '' : DEFAULT_DELIMITER), shardMap }
  })
}
