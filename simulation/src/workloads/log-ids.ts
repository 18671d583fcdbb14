import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { WorkloadTable } from '../world/workload-table.js'

type SortKey = Pick<WorkloadTable, 'sortKey' | 'sortType'>

/** What is written in one millisecond has numbers of its own, in a run of so many writes. */
export const IDS_A_MILLISECOND = 100_000

const MAX_DIGITS = 16

/** An id of a time, in about the order of time; the first of it without a number. */
export function idAt(elapsedMilliseconds: number, number = 0): number {
  return Math.floor(elapsedMilliseconds) * IDS_A_MILLISECOND + (number % IDS_A_MILLISECOND)
}

/** The id as a table has it. */
export function sortValueOf({ sortType }: SortKey, id: number): AttributeValue {
  return sortType === 'N' ? { N: String(id) } : { S: String(id).padStart(MAX_DIGITS, '0') }
}

export function idOf({ sortKey }: SortKey, item: Record<string, AttributeValue> | undefined): number {
  const value = item?.[sortKey]
  return Number(value?.N ?? value?.S)
}
