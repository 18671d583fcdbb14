/** The service's sentences about requests with PartiQL statements. */

export const MISPLACED_EXISTS_TEXT = 'EXISTS can only be used in ExecuteTransaction write requests.'

export function keylessSelectText(operation: 'BatchExecuteStatement' | 'ExecuteTransaction'): string {
  return `Select statements within ${operation} must specify the primary key in the where clause.`
}
