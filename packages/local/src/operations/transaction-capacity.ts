import type { TransactionUnits } from '../transaction/transactions.js'
import { BatchUnits, type ConsumedCapacity, type ReturnConsumedCapacity } from './consumed-capacity.js'

/** Units as transactions show them: as a sum, and again as what they are. */
interface UnitsByKind {
  readonly CapacityUnits: number
  readonly ReadCapacityUnits?: number
  readonly WriteCapacityUnits?: number
}

/**
 * What a transaction used, table by table, as responses show it.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html
 *
 * @param tableNames the table of each action, as the request gave it.
 */
export function transactionCapacity(
  wanted: ReturnConsumedCapacity | undefined,
  tableNames: readonly string[],
  { kind, units }: TransactionUnits,
): { ConsumedCapacity?: readonly object[] } {
  const sum = new BatchUnits()
  for (const [at, tableName] of tableNames.entries()) {
    const taken = units[at]
    if (taken !== undefined) sum.add(tableName, taken)
  }
  const { ConsumedCapacity } = sum.consumed(wanted)
  return ConsumedCapacity === undefined
    ? {}
    : { ConsumedCapacity: ConsumedCapacity.map((entry) => withKind(kind, entry)) }
}

function withKind(kind: TransactionUnits['kind'], entry: ConsumedCapacity): object {
  const { Table, GlobalSecondaryIndexes: global, LocalSecondaryIndexes: local } = entry
  const told = ({ CapacityUnits }: UnitsByKind): UnitsByKind =>
    kind === 'read'
      ? { CapacityUnits, ReadCapacityUnits: CapacityUnits }
      : { CapacityUnits, WriteCapacityUnits: CapacityUnits }
  const each = (indexes: object) =>
    Object.fromEntries(Object.entries(indexes).map(([index, units]) => [index, told(units)]))
  return {
    ...entry,
    ...told(entry),
    ...(Table === undefined ? {} : { Table: told(Table) }),
    ...(global === undefined ? {} : { GlobalSecondaryIndexes: each(global) }),
    ...(local === undefined ? {} : { LocalSecondaryIndexes: each(local) }),
  }
}
