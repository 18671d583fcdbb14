import { IsothermError } from './isotherm-error.js'

/** The names of the parts of a client from `isotherm/core`. */
export type PartName =
  | 'appends'
  | 'items'
  | 'queries'
  | 'scans'
  | 'batches'
  | 'transactions'
  | 'indexes'
  | 'rebalancing'
  | 'secondLevelCache'
  | 'explain'

/**
 * The error for a use of a part that the client was created without.
 * @param use the command, option or method that needs the part
 */
export function missingPart(part: PartName, use: string, table?: string): IsothermError<'part.missing'> {
  const place = table === undefined ? '' : ` on the sharded table ${table}`
  return new IsothermError(
    'part.missing',
    `${use}${place} takes the part ${part}, which this client was made without. ` +
      `Import ${part} from isotherm/core and name it: isotherm(client, { parts: [${part}, ...], ... }).`,
    { part, use, table },
  )
}
