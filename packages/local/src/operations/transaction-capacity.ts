import type { TransactionUnits } from '../transaction/transactions.js'
import { BatchUnits, type ConsumedCapacity, type ReturnConsumedCapacity } from './consumed-capacity.js'

/** Units in the form of a transaction's response: as a sum, and again by kind. */
interface UnitsByKind {
  readonly CapacityUnits: number
  readonly ReadCapacityUnits?: number
  readonly WriteCapacityUnits?: number
}

/**
 * The units a transaction consumed, by table, in the form of responses. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html
 *
 * @param tableNames the table name of each action, as in the request.
 */
export function transactionCapacity(
  wanted: ReturnConsumedCapacity | undefined,
  tableNames: readonly string[],
  { kind, units }: TransactionUnits,
): { ConsumedCapacity?: readonly object[] } {
  if (wanted !== 'TOTAL' && wanted !== 'INDEXES') return {}
  const sum = new BatchUnits(wanted)
  for (const [at, tableName] of tableNames.entries()) {
    const taken = units[at]
    if (taken !== undefined) sum.add(tableName, taken)
  }
  const { ConsumedCapacity } = sum.consumed()
  return ConsumedCapacity === undefined
    ? {}
    : { ConsumedCapacity: ConsumedCapacity.map((entry) => withKind(kind, entry)) }
}

function withKind(kind: TransactionUnits['kind'], entry: ConsumedCapacity): object {
  const { Table, GlobalSecondaryIndexes, LocalSecondaryIndexes } = entry
  const told = ({ CapacityUnits }: UnitsByKind): UnitsByKind =>
    kind === 'read'
      ? { CapacityUnits, ReadCapacityUnits: CapacityUnits }
      : { CapacityUnits, WriteCapacityUnits: CapacityUnits }
  const toldByIndex = (units: NonNullable<ConsumedCapacity['GlobalSecondaryIndexes']>) =>
    Object.fromEntries(Object.entries(units).map(([index, each]) => [index, told(each)]))
  return {
    ...entry,
    ...told(entry),
    ...(Table && { Table: told(Table) }),
    ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes: toldByIndex(GlobalSecondaryIndexes) }),
    ...(LocalSecondaryIndexes && { LocalSecondaryIndexes: toldByIndex(LocalSecondaryIndexes) }),
  }
}
