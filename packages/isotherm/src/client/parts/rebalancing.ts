import { openRebalancer } from '../../scaling/rebalancer.js'
import { shardsByHand } from '../../scaling/shards-by-hand.js'
import type { Part } from './part.js'

/**
 * What `dynamicShards` does beyond letting counts grow: shards are taken from quiet keys, items are moved, changes that
 * another process has left are brought to their end, and `db.shards()` does the same by hand.
 *
 * Counts only fall where some process of the fleet has it, and it needs time between requests, which a function on AWS
 * Lambda does not get. A table with a calculated suffix and `dynamicShards` cannot be written without it.
 *
 * @example isotherm(client, { parts: [appends, queries, rebalancing], tables: { audit_log: { ... } } })
 */
export const rebalancing: Part = { name: 'rebalancing', openRebalancer, shardsByHand }
