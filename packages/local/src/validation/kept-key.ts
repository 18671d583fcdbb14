import type { BoundUpdate } from '@isotherm/semantics'
import { changedKeyText } from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import type { Table } from '../table/table.js'
import type { KeyAttribute } from '../table/table-definition.js'

/** Checks that an update does not change the key. @throws ServiceError */
export function checkKeyIsKept(table: Table, update: BoundUpdate): void {
  const name = touchedKey(table, update)
  if (name === undefined) return
  throw validationException(changedKeyText(name))
}

/** The first key attribute of the table that the update would change, or `undefined`. */
export function touchedKey({ definition }: Table, { touched }: BoundUpdate): string | undefined {
  const { hash, range } = definition.schema
  const isTouched = (attribute: KeyAttribute) => touched.some(([first]) => first === attribute.name)
  return (hash.find(isTouched) ?? range.find(isTouched))?.name
}
