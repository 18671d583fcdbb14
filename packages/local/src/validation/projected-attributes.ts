import type { BoundCondition, Projection } from '@isotherm/semantics'
import { invalidParameters } from '../errors/service-error.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import { attributesOf } from './filter.js'

/**
 * Checks that a projection requests only attributes in a global index, because the service does not fetch others from
 * the table.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html
 * @throws ServiceError
 */
export function checkProjectionIsHeld(
  index: SecondaryIndex | undefined,
  projection: Projection | undefined,
): void {
  if (index === undefined || index.isLocal || projection === undefined) return
  const missing = missingFrom(index, projection.names.keys())
  if (missing.length === 0) return
  throw invalidParameters(
    `Global secondary index ${index.definition.name} does not project [${missing.join(', ')}]`,
  )
}

/**
 * The same check for the filter of a query. A scan is not rejected: its filter finds nothing instead.
 * @param parts the checked parts of the filter. Statements may use other attributes inside OR.
 * @throws ServiceError
 */
export function checkFilterIsHeld(
  index: SecondaryIndex | undefined,
  filter: BoundCondition | undefined,
  parts: 'all' | 'outside of OR' = 'all',
): void {
  if (index === undefined || filter === undefined) return
  const checked = parts === 'all' ? [filter] : outsideOfOr(filter)
  const missing = missingFrom(index, checked.flatMap(attributesOf))
  if (missing.length === 0) return
  throw invalidParameters(
    `Secondary index ${index.definition.name} does not project one or more filter attributes: [${missing.join(', ')}]`,
  )
}

/** Whether a local index must fetch whole items from its table for a request. Each fetch is charged. */
export function needsWholeItems(
  index: SecondaryIndex | undefined,
  select: string | undefined,
  projection: Projection | undefined,
): boolean {
  if (!index?.isLocal || index.definition.projection.type === 'ALL') return false
  return select === 'ALL_ATTRIBUTES' || missingFrom(index, projection?.names.keys() ?? []).length > 0
}

function outsideOfOr(filter: BoundCondition): readonly BoundCondition[] {
  if (filter.kind === 'and') return [...outsideOfOr(filter.left), ...outsideOfOr(filter.right)]
  return filter.kind === 'or' ? [] : [filter]
}

function missingFrom(index: SecondaryIndex, names: Iterable<string>): string[] {
  return [...new Set(names)].filter((name) => !index.projects(name)).sort()
}
