import type { BoundCondition, Projection } from '@isotherm/semantics'
import type { SecondaryIndex } from '../table/secondary-index.js'
import { validationException } from '../wire/service-error.js'
import { attributesOf } from './filter.js'

const INVALID = 'One or more parameter values were invalid: '

/**
 * A global index answers with what it holds and fetches nothing from its table, so nothing else can be asked of it.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html
 * @throws ServiceError
 */
export function checkProjectionIsHeld(
  index: SecondaryIndex | undefined,
  projection: Projection | undefined,
): void {
  if (index === undefined || projection === undefined) return
  const missing = missingFrom(index, projection.names.keys())
  if (missing.length === 0) return
  throw validationException(
    `${INVALID}Global secondary index ${index.definition.name} does not project [${missing.join(', ')}]`,
  )
}

/** As for the projection. Only queries are refused: a scan's filter finds nothing instead. @throws ServiceError */
export function checkFilterIsHeld(
  index: SecondaryIndex | undefined,
  filter: BoundCondition | undefined,
): void {
  if (index === undefined || filter === undefined) return
  const missing = missingFrom(index, attributesOf(filter))
  if (missing.length === 0) return
  throw validationException(
    `${INVALID}Secondary index ${index.definition.name} does not project one or more filter attributes: [${missing.join(', ')}]`,
  )
}

function missingFrom({ definition, keyNames }: SecondaryIndex, names: Iterable<string>): string[] {
  const { projection } = definition
  if (projection.type === 'ALL') return []
  const held = new Set([...keyNames, ...(projection.type === 'INCLUDE' ? projection.attributes : [])])
  return [...new Set(names)].filter((name) => !held.has(name)).sort()
}
