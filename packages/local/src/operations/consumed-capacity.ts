import { tableUnits, type WriteUnits } from '../table/item-write.js'

export type ReturnConsumedCapacity = 'INDEXES' | 'TOTAL' | 'NONE'

/**
 * The units a request consumed, in the form of responses. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html
 */
export interface ConsumedCapacity {
  readonly TableName: string
  readonly CapacityUnits: number
  readonly Table?: { readonly CapacityUnits: number }
  readonly GlobalSecondaryIndexes?: UnitsByIndex
  readonly LocalSecondaryIndexes?: UnitsByIndex
}

type UnitsByIndex = { readonly [index: string]: { readonly CapacityUnits: number } }

/**
 * The member to add to a response. It is empty when the request did not ask for it.
 * @param tableName as in the request: a request by ARN gets the ARN back.
 */
export function consumedCapacity(
  tableName: string,
  wanted: ReturnConsumedCapacity | undefined,
  { table: tableUnits, indexes, localIndexes }: WriteUnits,
): { ConsumedCapacity?: ConsumedCapacity } {
  if (wanted !== 'TOTAL' && wanted !== 'INDEXES') return {}
  let total = tableUnits
  for (const units of indexes.values()) total += units
  for (const units of localIndexes.values()) total += units
  if (wanted === 'TOTAL') return { ConsumedCapacity: { TableName: tableName, CapacityUnits: total } }
  return {
    ConsumedCapacity: {
      TableName: tableName,
      CapacityUnits: total,
      Table: { CapacityUnits: tableUnits },
      ...(indexes.size > 0 ? { GlobalSecondaryIndexes: byIndex(indexes) } : {}),
      ...(localIndexes.size > 0 ? { LocalSecondaryIndexes: byIndex(localIndexes) } : {}),
    },
  }
}

const NO_INDEXES: ReadonlyMap<string, number> = new Map()

/**
 * Like `consumedCapacity`, for a page of the table or of one index.
 * @param page the page. Whole items fetched for entries of a local index count as the table's.
 */
export function consumedRead(
  tableName: string,
  wanted: ReturnConsumedCapacity | undefined,
  { units, fetchedUnits }: { readonly units: number; readonly fetchedUnits: number },
  index: { readonly definition: { readonly name: string }; readonly isLocal: boolean } | undefined,
): { ConsumedCapacity?: ConsumedCapacity } {
  if (index === undefined) return consumedCapacity(tableName, wanted, tableUnits(units))
  const used = new Map([[index.definition.name, units]])
  return consumedCapacity(tableName, wanted, {
    table: fetchedUnits,
    indexes: index.isLocal ? NO_INDEXES : used,
    localIndexes: index.isLocal ? used : NO_INDEXES,
  })
}

/** Sums units by table over the members of a batch, if the request asked for them. */
export class BatchUnits {
  readonly #wanted: 'INDEXES' | 'TOTAL' | undefined
  readonly #byTable = new Map<string, WriteUnits>()

  constructor(wanted: ReturnConsumedCapacity | undefined) {
    this.#wanted = wanted === 'NONE' ? undefined : wanted
  }

  add(tableName: string, units: WriteUnits): void {
    if (this.#wanted === undefined) return
    const sum = this.#byTable.get(tableName) ?? tableUnits(0)
    this.#byTable.set(tableName, {
      table: sum.table + units.table,
      indexes: summed(sum.indexes, units.indexes),
      localIndexes: summed(sum.localIndexes, units.localIndexes),
    })
  }

  /** The member to add to a response: a list with one entry for each table. */
  consumed(): { ConsumedCapacity?: ConsumedCapacity[] } {
    const wanted = this.#wanted
    if (wanted === undefined) return {}
    const entries = [...this.#byTable].map(
      ([tableName, units]) => consumedCapacity(tableName, wanted, units).ConsumedCapacity,
    )
    return { ConsumedCapacity: entries.filter((entry) => entry !== undefined) }
  }
}

function byIndex(indexes: ReadonlyMap<string, number>): UnitsByIndex {
  return Object.fromEntries([...indexes].map(([index, units]) => [index, { CapacityUnits: units }]))
}

function summed(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  if (b.size === 0) return a
  const sum = new Map(a)
  for (const [index, units] of b) sum.set(index, (sum.get(index) ?? 0) + units)
  return sum
}
