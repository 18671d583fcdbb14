import { type BoundCondition, conditionPaths } from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import type { KeySchema } from '../table/table-definition.js'

/**
 * A query's filter may not ask about the key it queries by: that belongs into the key condition.
 * @param parameter what the service calls the filter in its text.
 * @throws ServiceError
 */
export function checkFilterAvoidsKey(
  parameter: 'Filter Expression' | 'QueryFilter',
  filter: BoundCondition | undefined,
  { hash, range }: KeySchema,
): void {
  if (filter === undefined) return
  const used = new Set(attributesOf(filter))
  const key = [...hash, ...range].find(({ name }) => used.has(name))
  if (key === undefined) return
  throw validationException(
    `${parameter} can only contain non-primary key attributes: Primary key attribute: ${key.name}`,
  )
}

/** Top-level attributes that a condition names. */
export function attributesOf(condition: BoundCondition): readonly string[] {
  return conditionPaths(condition).map(([name]) => name)
}
