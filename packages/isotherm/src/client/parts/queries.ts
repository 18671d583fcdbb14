import { query } from '../../queries/query.js'
import type { Part } from './part.js'

/**
 * `Query` of sharded tables: all shards of a key merged in order, page by page. Queries of an index take the part `indexes` too.
 *
 * @example isotherm(client, { parts: [appends, queries], tables: { audit_log: { ... } } })
 */
export const queries: Part = {
  name: 'queries',
  commands: { Query: query },
}
