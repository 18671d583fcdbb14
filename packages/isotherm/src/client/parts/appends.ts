import { appendAlone } from '../../writes/append-alone.js'
import type { Part } from './part.js'

/**
 * Puts that ask for nothing: `PutItem` without a condition and without a return value, on tables with a random suffix. What
 * writes events, logs and votes needs no more.
 *
 * @example isotherm(client, { parts: [appends], tables: { audit_log: { ..., suffix: 'random', shards: dynamicShards() } } })
 */
export const appends: Part = { name: 'appends', yields: true, commands: { PutItem: appendAlone } }
