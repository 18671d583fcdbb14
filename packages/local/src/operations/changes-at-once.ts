import { ServiceError } from '../errors/service-error.js'
import type { OperationContext } from './operation.js'

/**
 * Checks how many tables of a region are being changed at the same time. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 * @throws ServiceError
 */
export function checkChangesAtOnce(
  { catalog, region, controlPlaneLimits }: OperationContext,
  withIndexes: boolean,
): void {
  const { changesAtOnce, changesAtOnceWithIndexes } = controlPlaneLimits
  const limit = withIndexes ? changesAtOnceWithIndexes : changesAtOnce
  if (limit === Number.POSITIVE_INFINITY) return
  const changing = catalog.names(region).filter((name) => catalog.get(region, name)?.status !== 'ACTIVE')
  if (changing.length < limit) return
  throw new ServiceError(
    'LimitExceededException',
    `Subscriber limit exceeded: Only ${limit} tables can be created, updated, or deleted simultaneously`,
  )
}
