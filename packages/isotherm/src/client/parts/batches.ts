import { batchGetItem } from '../../batches/batch-get-item.js'
import { batchWriteItem } from '../../batches/batch-write-item.js'
import type { Part } from './part.js'

/**
 * `BatchGetItem` and `BatchWriteItem` that touch sharded tables.
 *
 * @example isotherm(client, { parts: [batches], tables: { audit_log: { ... } } })
 */
export const batches: Part = {
  name: 'batches',
  commands: { BatchGetItem: batchGetItem, BatchWriteItem: batchWriteItem },
}
