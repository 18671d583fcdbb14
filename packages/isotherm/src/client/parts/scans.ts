import { scan } from '../../scans/scan.js'
import type { Part } from './part.js'

/**
 * `Scan` of sharded tables, with logical keys.
 *
 * @example isotherm(client, { parts: [scans], tables: { audit_log: { ... } } })
 */
export const scans: Part = {
  name: 'scans',
  commands: { Scan: scan },
}
