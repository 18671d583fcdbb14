import { type SelectStatement, unexpectedComponent } from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'

/**
 * The index that a SELECT names. The texts differ from those of Query and Scan.
 * @returns `undefined` when it names none.
 * @throws ServiceError when it does not exist, or cannot be read by a statement. ValidationError for a column that is no path.
 */
export function selectedIndex(
  table: Table,
  { index: name, refusedColumn }: SelectStatement,
  consistent: boolean,
): SecondaryIndex | undefined {
  if (name === undefined) return undefined
  const index = table.indexes.get(name)
  if (index === undefined) throw validationException('The table does not have the specified index')
  if (consistent && !index.isLocal) {
    throw validationException('Strongly consistent read is not supported on Global Secondary Indexes')
  }
  const { hash, range } = index.definition.schema
  if (hash.length > 1 || range.length > 1) {
    throw validationException(
      'PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.',
    )
  }
  if (refusedColumn !== undefined) throw unexpectedComponent(refusedColumn)
  return index
}
