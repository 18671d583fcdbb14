import { IsothermError, type PartName } from './isotherm-error.js'

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
