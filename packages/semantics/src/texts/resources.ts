/** The service's sentences about tables, indexes and streams that are missing or busy. */

export const NOT_FOUND_TEXT = 'Requested resource not found'

/** @param what the resource, such as `Table: audit_log not found`. */
export function notFoundText(what: string): string {
  return `${NOT_FOUND_TEXT}: ${what}`
}

/** @param why what is being done to it. */
export function inUseText(why: string): string {
  return `Attempt to change a resource which is still in use: ${why}`
}

/**
 * For an update of provisioned throughput that would change nothing.
 * @param index the index's name; without one, it is about the table.
 */
export function sameThroughputText(
  { readUnits, writeUnits }: { readonly readUnits: number; readonly writeUnits: number },
  index?: string,
): string {
  const kind = index === undefined ? 'table' : 'index'
  return `The provisioned throughput for the ${kind}${index === undefined ? '' : ` ${index}`} will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the ${kind}: ${readUnits}. Requested ReadCapacityUnits: ${readUnits}. Current WriteCapacityUnits provisioned for the ${kind}: ${writeUnits}. Requested WriteCapacityUnits: ${writeUnits}. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.`
}
