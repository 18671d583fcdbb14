import type { Table } from '../table/table.js'
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
 * @param tables the table of each action.
 */
export function transactionCapacity(
  wanted: ReturnConsumedCapacity | undefined,
  tables: readonly Table[],
  { kind, units }: TransactionUnits,
): { ConsumedCapacity?: readonly object[] } {
  const sum = new BatchUnits()
  for (const [at, table] of tables.entries()) {
    const taken = units[at]
    if (taken !== undefined) sum.add(table, taken)
  }
  const { ConsumedCapacity } = sum.consumed(wanted)
  return ConsumedCapacity === undefined
    ? {}
    : { ConsumedCapacity: ConsumedCapacity.map((entry) => withKind(kind, entry)) }
}

function withKind(kind: TransactionUnits['kind'], entry: ConsumedCapacity): object {
  const { Table, GlobalSecondaryIndexes } = entry
  const told = ({ CapacityUnits }: UnitsByKind): UnitsByKind =>
    kind === 'read'
      ? { CapacityUnits, ReadCapacityUnits: CapacityUnits }
      : { CapacityUnits, WriteCapacityUnits: CapacityUnits }
  return {
    ...entry,
    ...told(entry),
    ...(Table === undefined ? {} : { Table: told(Table) }),
    ...(GlobalSecondaryIndexes === undefined
      ? {}
      : {
          GlobalSecondaryIndexes: Object.fromEntries(
            Object.entries(GlobalSecondaryIndexes).map(([index, units]) => [index, told(units)]),
          ),
        }),
  }
}
