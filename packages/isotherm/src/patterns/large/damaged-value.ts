import { IsothermError } from '../../errors/isotherm-error.js'

interface Where {
  readonly table: string
  readonly attribute: string
}

/** The error for a value that is not what was written. */
export function corrupt({ table, attribute }: Where): IsothermError<'large.corrupt'> {
  return new IsothermError(
    'large.corrupt',
    `The stored value of ${attribute} in ${table} does not have the checksum that was written with it. Something else has changed its pieces; restore them from a backup, or put the item again.`,
    { table, attribute },
  )
}

/** The error for a value that this version of Node cannot decompress. */
export function codecMissing({ table, attribute }: Where, codec: string): IsothermError<'large.codec'> {
  return new IsothermError(
    'large.codec',
    `The value of ${attribute} in ${table} is compressed with ${codec}, which Node ${process.version} does not have. Read it with a newer Node, or write with another compression until every process has one.`,
    { table, attribute, codec },
  )
}

/** The error for a stand-in of a later version. */
export function unknownFormat({ table, attribute }: Where): IsothermError<'large.format'> {
  return new IsothermError(
    'large.format',
    `The value of ${attribute} in ${table} has a format that this version of isotherm/large does not know. Upgrade isotherm in this process.`,
    { table, attribute },
  )
}
