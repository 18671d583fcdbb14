import type { TableDescription, UpdateTableCommandInput } from '@aws-sdk/client-dynamodb'

/** Of a past period's table, and of each of its indexes. */
export interface Capacity {
  readonly read: number
  readonly write: number
}

interface Units {
  readonly ReadCapacityUnits?: number | undefined
  readonly WriteCapacityUnits?: number | undefined
}

/** @returns the update that lowers a table and its indexes; `undefined` if they are low, on demand, or gone */
export function loweringOf(
  found: TableDescription | undefined,
  { read, write }: Capacity,
): Omit<UpdateTableCommandInput, 'TableName'> | undefined {
  const isHigher = (units: Units | undefined) =>
    (units?.ReadCapacityUnits ?? 0) > read || (units?.WriteCapacityUnits ?? 0) > write
  const lower = (units: Units | undefined) => ({
    ReadCapacityUnits: Math.min(read, units?.ReadCapacityUnits ?? read),
    WriteCapacityUnits: Math.min(write, units?.WriteCapacityUnits ?? write),
  })
  const units = found?.ProvisionedThroughput
  const indexes = (found?.GlobalSecondaryIndexes ?? []).filter((index) =>
    isHigher(index.ProvisionedThroughput),
  )
  if (!isHigher(units) && indexes.length === 0) return undefined
  return {
    ...(isHigher(units) ? { ProvisionedThroughput: lower(units) } : {}),
    ...(indexes.length === 0
      ? {}
      : {
          GlobalSecondaryIndexUpdates: indexes.map(({ IndexName, ProvisionedThroughput }) => ({
            Update: { IndexName, ProvisionedThroughput: lower(ProvisionedThroughput) },
          })),
        }),
  }
}
