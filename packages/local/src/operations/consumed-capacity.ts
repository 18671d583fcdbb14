import type { Table, WriteUnits } from '../table/table.js'

export type ReturnConsumedCapacity = 'INDEXES' | 'TOTAL' | 'NONE'

/**
 * What a request used, as responses show it.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html
 */
export interface ConsumedCapacity {
  readonly TableName: string
  readonly CapacityUnits: number
  readonly Table?: { readonly CapacityUnits: number }
  readonly GlobalSecondaryIndexes?: UnitsByIndex
  readonly LocalSecondaryIndexes?: UnitsByIndex
}

type UnitsByIndex = { readonly [index: string]: { readonly CapacityUnits: number } }

/** The member to add to a response: nothing when it was not asked for. */
export function consumedCapacity(
  table: Table,
  wanted: ReturnConsumedCapacity | undefined,
  { table: tableUnits, indexes }: WriteUnits,
): { ConsumedCapacity?: ConsumedCapacity } {
  if (wanted !== 'TOTAL' && wanted !== 'INDEXES') return {}
  let total = tableUnits
  for (const units of indexes.values()) total += units
  const name = table.definition.name
  if (wanted === 'TOTAL') return { ConsumedCapacity: { TableName: name, CapacityUnits: total } }
  const global: [string, { CapacityUnits: number }][] = []
  const local: typeof global = []
  for (const [index, CapacityUnits] of indexes) {
    const kind = table.indexes.get(index)?.isLocal ? local : global
    kind.push([index, { CapacityUnits }])
  }
  return {
    ConsumedCapacity: {
      TableName: name,
      CapacityUnits: total,
      Table: { CapacityUnits: tableUnits },
      ...(global.length > 0 ? { GlobalSecondaryIndexes: Object.fromEntries(global) } : {}),
      ...(local.length > 0 ? { LocalSecondaryIndexes: Object.fromEntries(local) } : {}),
    },
  }
}

const NO_INDEXES: ReadonlyMap<string, number> = new Map()

/**
 * As `consumedCapacity`, for a read of the table or of one index.
 * @param fetched units of the table for whole items behind the entries of a local index.
 */
export function consumedRead(
  table: Table,
  wanted: ReturnConsumedCapacity | undefined,
  units: number,
  index?: string,
  fetched = 0,
): { ConsumedCapacity?: ConsumedCapacity } {
  const used =
    index === undefined
      ? { table: units, indexes: NO_INDEXES }
      : { table: fetched, indexes: new Map([[index, units]]) }
  return consumedCapacity(table, wanted, used)
}

/** Sums units by table over the members of a batch. */
export class BatchUnits {
  readonly #byTable = new Map<Table, { table: number; indexes: Map<string, number> }>()

  add(table: Table, units: WriteUnits): void {
    const sum = this.#byTable.get(table) ?? { table: 0, indexes: new Map<string, number>() }
    this.#byTable.set(table, sum)
    sum.table += units.table
    for (const [index, more] of units.indexes) sum.indexes.set(index, (sum.indexes.get(index) ?? 0) + more)
  }

  /** The member to add to a response: a list with an entry for each table. */
  consumed(wanted: ReturnConsumedCapacity | undefined): { ConsumedCapacity?: ConsumedCapacity[] } {
    if (wanted !== 'TOTAL' && wanted !== 'INDEXES') return {}
    const entries = [...this.#byTable].map(
      ([table, units]) => consumedCapacity(table, wanted, units).ConsumedCapacity,
    )
    return { ConsumedCapacity: entries.filter((entry) => entry !== undefined) }
  }
}
