import type { BoundCondition, Projection } from '@isotherm/semantics'
import type { SecondaryIndex } from '../table/secondary-index.js'
import { validationException } from '../wire/service-error.js'
import { attributesOf } from './filter.js'

const INVALID = 'One or more parameter values were invalid: '

/**
 * Whether whole items must be fetched for what a request wants of an index. A local index can fetch them from its table,
 * at a price for each; a global one cannot, and no index fetches for a filter.
 * @throws ServiceError
 */
export function needsWholeItems(
  index: SecondaryIndex | undefined,
  select: string | undefined,
  filter: BoundCondition | undefined,
  projection: Projection | undefined,
): boolean {
  if (index === undefined || index.definition.projection.type === 'ALL') return false
  const { name } = index.definition
  const unknown = [...new Set(attributesOf(filter))].filter((attribute) => !index.projects(attribute))
  if (unknown.length > 0) {
    throw validationException(
      `${INVALID}Secondary index ${name} does not project one or more filter attributes: [${unknown.join(', ')}]`,
    )
  }
  const missing = [...(projection?.names.keys() ?? [])].filter((attribute) => !index.projects(attribute))
  if (index.isLocal) return select === 'ALL_ATTRIBUTES' || missing.length > 0
  if (missing.length === 0) return false
  throw validationException(
    `${INVALID}Global secondary index ${name} does not project [${missing.join(', ')}]`,
  )
}
