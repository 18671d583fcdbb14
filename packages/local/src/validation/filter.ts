import { type BoundCondition, conditionPaths } from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import type { KeySchema } from '../table/table-definition.js'

/**
 * Checks that a query's filter does not use a key attribute, because such conditions belong in the key condition.
 * @param parameter the service's name of the filter in the error text.
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

/** The top-level attributes in a condition. */
export function attributesOf(condition: BoundCondition): readonly string[] {
  return conditionPaths(condition).map(([name]) => name)
}
