import { indexSupport } from '../../indexes/index-support.js'
import type { Part } from './part.js'

/**
 * The options `indexes` and `readReplicas`, tables of which only indexes are sharded, and queries of any index of a sharded
 * table (with the part `queries`).
 *
 * @example isotherm(client, { parts: [items, queries, indexes], tables: { files: { ..., indexes: { by_status: { ... } } } } })
 */
export const indexes: Part = { name: 'indexes', indexes: indexSupport }
