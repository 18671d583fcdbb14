import { validationException } from '../errors/service-error.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'
import { indexStatusAt } from '../table/transition.js'

/**
 * The index a request names, or `undefined` when it reads the table. @throws ServiceError when no such index exists.
 */
export function readableIndex(
  table: Table,
  input: { readonly IndexName?: string; readonly ConsistentRead?: boolean },
  now: number,
): SecondaryIndex | undefined {
  if (input.IndexName === undefined) return undefined
  const index = table.indexes.get(input.IndexName)
  if (index === undefined) {
    throw validationException(`The table does not have the specified index: ${input.IndexName}`)
  }
  if (input.ConsistentRead && !index.isLocal) {
    throw validationException('Consistent reads are not supported on global secondary indexes')
  }
  const status = indexStatusAt(index.state, now)
  if (status === 'CREATING') {
    throw validationException(`Cannot read from backfilling global secondary index: ${input.IndexName}`)
  }
  return index
}
