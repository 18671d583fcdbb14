import { IsothermError } from './isotherm-error.js'

/** What a client of `isotherm/core` is made of. */
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
 * The error for what a client was made without.
 * @param use the command, the option or the method
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
