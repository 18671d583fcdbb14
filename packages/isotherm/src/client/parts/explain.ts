import { explained } from '../explain.js'
import type { Part } from './part.js'

/**
 * The method `db.explain(command)`.
 *
 * @example isotherm(client, { parts: [appends, queries, explain], tables: { audit_log: { ... } } })
 */
export const explain: Part = { name: 'explain', explained }
