import { ServiceError } from '../errors/service-error.js'
import type { TableDefinition } from '../table/table-definition.js'
import { checkThroughputQuota } from '../validation/throughput-input.js'
import { checkChangesAtOnce } from './changes-at-once.js'
import type { OperationContext } from './operation.js'
import { checkAccountQuota } from './throughput-quotas.js'

/** Checks that a table can be created. @throws ServiceError */
export function checkNewTable(context: OperationContext, definition: TableDefinition): void {
  const { catalog, region } = context
  checkTableQuota(context, definition)
  if (catalog.get(region, definition.name) !== undefined) {
    throw new ServiceError('ResourceInUseException', `Table already exists: ${definition.name}`)
  }
  checkAccountQuota(context, undefined, definition)
  checkChangesAtOnce(context, definition.indexes.length > 0)
}

/** Checks the quota of one table, and of each of its indexes. @throws ServiceError */
export function checkTableQuota({ capacity }: OperationContext, definition: TableDefinition): void {
  checkThroughputQuota(
    [definition, ...definition.indexes].flatMap((each) => [each.throughput, each.warmThroughput]),
    capacity.tableUnitsPerSecond,
  )
}
