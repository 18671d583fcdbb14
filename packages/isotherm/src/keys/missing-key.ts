import { IsothermError } from '../errors/isotherm-error.js'

/** @returns the error for an item or a key that lacks an attribute of its table's primary key */
export function missingKey(
  table: string,
  attribute: string,
  kind: 'partition' | 'sort',
): IsothermError<'key.missing'> {
  return new IsothermError(
    'key.missing',
    `The request for ${table} has no ${attribute}, which the options name as the ${kind} key. Add it, or correct ${kind}Key in the options of the table.`,
    { table, attribute },
  )
}
