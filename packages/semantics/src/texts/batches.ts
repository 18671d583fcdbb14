import { MAX_BATCH_GET_KEYS, MAX_BATCH_WRITE_REQUESTS } from '../limits.js'
import { atLeastText, atMostText, constraintText } from './parameters.js'

/** The service's sentences about batches. */

export const DUPLICATE_KEYS_TEXT = 'Provided list of item keys contains duplicates'
export const TOO_MANY_KEYS_TEXT = 'Too many items requested for the BatchGetItem call'

/** For a batch without tables. */
export function noItemsText(): string {
  return constraintText('RequestItems', atLeastText('length', 1))
}

/** For a batch with too many keys of one table. */
export function tableKeysText(table: string): string {
  return constraintText(`RequestItems.${table}.member.Keys`, atMostText('length', MAX_BATCH_GET_KEYS))
}

/**
 * For a batch with too many writes, or with a table without writes.
 * @param value the batch as the service prints it.
 */
export function writeCountText(value: string): string {
  const constraints = [atMostText('length', MAX_BATCH_WRITE_REQUESTS), atLeastText('length', 1)]
  return `1 validation error detected: Value '${value}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [${constraints.join(', ')}]`
}
