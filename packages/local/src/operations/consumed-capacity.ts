import type { WriteUnits } from '../table/table.js'

export type ReturnConsumedCapacity = 'INDEXES' | 'TOTAL' | 'NONE'

/**
 * What a request used, as responses show it.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html
 */
export interface ConsumedCapacity {
  readonly TableName: string
  readonly CapacityUnits: number
  readonly Table?: { readonly CapacityUnits: number }
  readonly GlobalSecondaryIndexes?: { readonly [index: string]: { readonly CapacityUnits: number } }
}

/**
 * The member to add to a response: nothing when it was not asked for.
 * @param tableName as the request gave it: whoever asks by ARN is answered by ARN.
 */
export function consumedCapacity(
  tableName: string,
  wanted: ReturnConsumedCapacity | undefined,
  { table: tableUnits, indexes }: WriteUnits,
): { ConsumedCapacity?: ConsumedCapacity } {
  if (wanted !== 'TOTAL' && wanted !== 'INDEXES') return {}
  let total = tableUnits
  for (const units of indexes.values()) total += units
  if (wanted === 'TOTAL') return { ConsumedCapacity: { TableName: tableName, CapacityUnits: total } }
  const byIndex = Object.fromEntries([...indexes].map(([index, units]) => [index, { CapacityUnits: units }]))
  return {
    ConsumedCapacity: {
      TableName: tableName,
      CapacityUnits: total,
      Table: { CapacityUnits: tableUnits },
      ...(indexes.size > 0 ? { GlobalSecondaryIndexes: byIndex } : {}),
    },
  }
}

const NO_INDEXES: ReadonlyMap<string, number> = new Map()

/** As `consumedCapacity`, for a read of the table or of one index. */
export function consumedRead(
  tableName: string,
  wanted: ReturnConsumedCapacity | undefined,
  units: number,
  index?: string,
): { ConsumedCapacity?: ConsumedCapacity } {
  const used =
    index === undefined
      ? { table: units, indexes: NO_INDEXES }
      : { table: 0, indexes: new Map([[index, units]]) }
  return consumedCapacity(tableName, wanted, used)
}

/** Sums units by table over the members of a batch. */
export class BatchUnits {
  readonly #byTable = new Map<string, { table: number; indexes: Map<string, number> }>()

  add(tableName: string, units: WriteUnits): void {
    const sum = this.#byTable.get(tableName) ?? { table: 0, indexes: new Map<string, number>() }
    this.#byTable.set(tableName, sum)
    sum.table += units.table
    for (const [index, more] of units.indexes) sum.indexes.set(index, (sum.indexes.get(index) ?? 0) + more)
  }

  /** The member to add to a response: a list with an entry for each table. */
  consumed(wanted: ReturnConsumedCapacity | undefined): { ConsumedCapacity?: ConsumedCapacity[] } {
    if (wanted !== 'TOTAL' && wanted !== 'INDEXES') return {}
    const entries = [...this.#byTable].map(
      ([tableName, units]) => consumedCapacity(tableName, wanted, units).ConsumedCapacity,
    )
    return { ConsumedCapacity: entries.filter((entry) => entry !== undefined) }
  }
}
