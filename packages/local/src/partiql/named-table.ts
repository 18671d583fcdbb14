import { MAX_TABLE_NAME_LENGTH, MIN_TABLE_NAME_LENGTH } from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import type { Table } from '../table/table.js'

/** Finds a table by its name. @throws ServiceError when it does not exist. */
export type FindTable = (name: string) => Table

/** The table a statement names. @throws ServiceError for an invalid name, or when the table does not exist. */
export function namedTable(name: string, findTable: FindTable): Table {
  const { length } = name
  const isName = /^[a-zA-Z0-9_.-]+$/.test(name)
  if (!isName || length < MIN_TABLE_NAME_LENGTH || length > MAX_TABLE_NAME_LENGTH) {
    throw validationException(
      `Table name should be within the length [${MIN_TABLE_NAME_LENGTH}, ${MAX_TABLE_NAME_LENGTH}] and only contain 'a-z', 'A-Z', '0-9', '-', '_', '.'.`,
    )
  }
  return findTable(name)
}
