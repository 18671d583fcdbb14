import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { AuditEntry } from './workload.js'

/** The audit log's key: the file and the time. */
export const PARTITION_KEY = 'file_path'
export const SORT_KEY = 'accessed_at'

const PADDING = 'padding'
/** Room for a suffix, so that padding to 1,024 bytes means one write unit with and without shards. */
const SUFFIX_BYTES = 8

/**
 * The item that records a request: the log's own attributes, padded to `paddedBytes` if it is smaller.
 *
 * Sizes as DynamoDB counts them, with the maximum for numbers:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function auditItem(
  { request, accessedAt }: AuditEntry,
  paddedBytes: number,
): Record<string, AttributeValue> {
  const { path, client, method, status, bytes } = request
  const item: Record<string, AttributeValue> = {
    [PARTITION_KEY]: { S: path },
    [SORT_KEY]: { S: accessedAt },
    client: { S: client },
    method: { S: method },
    status: { N: String(status) },
    bytes: { N: String(bytes) },
  }
  if (paddedBytes === 0) return item
  const missing = paddedBytes - SUFFIX_BYTES - PADDING.length - sizeOf(item)
  if (missing > 0) item[PADDING] = { S: 'x'.repeat(missing) }
  return item
}

function sizeOf(item: Record<string, AttributeValue>): number {
  let bytes = 0
  for (const [name, value] of Object.entries(item)) {
    bytes += name.length
    if (value.S !== undefined) bytes += Buffer.byteLength(value.S)
    if (value.N !== undefined) bytes += Math.ceil(value.N.length / 2) + 1
  }
  return bytes
}
