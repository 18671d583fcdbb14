import { isObject, type JsonObject, listIn, objectIn } from './members-of.js'
import type { ReplayedBilling } from './replay-report.js'

/** How a table is billed, from what DescribeTable returned. */
export function billingOf(described: object): ReplayedBilling | undefined {
  const { Table } = { Table: undefined, ...described }
  if (!isObject(Table)) return undefined
  const table: JsonObject = Table
  const { BillingMode } = objectIn(table, 'BillingModeSummary')
  if (BillingMode === 'PAY_PER_REQUEST') return { mode: BillingMode }
  const owners = [table, ...listIn(table, 'GlobalSecondaryIndexes')]
  const sum = (member: string) =>
    owners.reduce((total, owner) => total + Number(objectIn(owner, 'ProvisionedThroughput')[member] ?? 0), 0)
  return { mode: 'PROVISIONED', readUnits: sum('ReadCapacityUnits'), writeUnits: sum('WriteCapacityUnits') }
}
