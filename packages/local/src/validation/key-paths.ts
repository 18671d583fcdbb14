import {
  type BoundCondition,
  type BoundUpdate,
  conditionPaths,
  type DocumentPath,
  nestedKeyText,
  type Projection,
  updatePaths,
} from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import type { Table } from '../table/table.js'
import type { KeySchema } from '../table/table-definition.js'

/** Checks that a condition has no path into a key attribute, because keys are scalars. @throws ServiceError */
export function checkConditionPaths(table: Table, condition: BoundCondition | undefined): void {
  if (condition !== undefined) checkPaths(table, conditionPaths(condition))
}

/** The same check for an update. @throws ServiceError */
export function checkUpdatePaths(table: Table, update: BoundUpdate): void {
  checkPaths(table, updatePaths(update))
}

/** The same check for a projection. @throws ServiceError */
export function checkProjectionPaths(table: Table, projection: Projection | undefined): void {
  if (projection === undefined) return
  for (const [name, inside] of projection.names) {
    if (inside.names.size > 0 || inside.indexes.length > 0) checkIsNoKey(table, name)
  }
}

function checkPaths(table: Table, paths: readonly DocumentPath[]): void {
  for (const path of paths) if (path.length > 1) checkIsNoKey(table, path[0])
}

function checkIsNoKey({ definition }: Table, name: string): void {
  const kind = isIn(definition.schema, name)
    ? 'Key'
    : definition.indexes.some(({ schema }) => isIn(schema, name))
      ? 'IndexKey'
      : undefined
  if (kind === undefined) return
  throw validationException(nestedKeyText(kind, name))
}

function isIn({ hash, range }: KeySchema, name: string): boolean {
  return [...hash, ...range].some((attribute) => attribute.name === name)
}
