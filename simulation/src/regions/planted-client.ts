import type { Library } from '../world/library.js'

/** A library with a bug that only two regions show: the shard map's own client is ignored, so each region has a shard map of its own. */
export function ignoringShardMapClient(library: Library): Library {
  return {
    ...library,
    isotherm: ((client, options) => {
      const tables = Object.entries(options.tables).map(([name, { shardMap: _own, ...table }]) => [
        name,
        table,
      ])
      return library.isotherm(client, { ...options, tables: Object.fromEntries(tables) })
    }) as Library['isotherm'],
  }
}
