import type { Table } from '../table/table.js'
import type { SetupPartitions } from './trace-format.js'

/** The partitions of a table and of its global indexes. */
export function setupPartitions({ region, name, capacity, indexes }: Table): readonly SetupPartitions[] {
  const global = [...indexes.values()].filter(({ isLocal }) => !isLocal)
  const keyspaces = [
    { capacity },
    ...global.map((index) => ({ index: index.definition.name, capacity: index.capacity })),
  ]
  return keyspaces.map(({ capacity: { partitions, kept }, ...index }) => ({
    region,
    table: name,
    ...index,
    borders: partitions.all.map(({ from }) => from),
    capacity: kept,
  }))
}
