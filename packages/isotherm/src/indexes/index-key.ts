import { type KeyValue, MAX_PARTITION_KEY_BYTES, utf8Length } from '@isotherm/semantics'
import { IsothermError } from '../errors/isotherm-error.js'
import { keyText, type LogicalKey, type SuffixableKey } from '../keys/key.js'

/** The beginning of the keys under which the shard map has the counts of indexes. No logical key may begin with it. */
export const INDEX_KEY_PREFIX = 'isotherm:index:'

/** A key value of an index, as part of a key of the shard map. */
type Named = readonly [attribute: string, type: 'S' | 'N' | 'B', text: string]

/**
 * The key of the shard map's item for a key value of an index.
 *
 * It has the name of the attribute that holds the shard, not of the index. Indexes that share the attribute share their
 * shards, and an index that is replaced by one of another name keeps its counts.
 *
 * @param value in the form that the index stores
 * @throws IsothermError `key.too-long`
 */
export function shardMapKeyOf(table: string, attribute: string, value: KeyValue): LogicalKey {
  const named: Named = [attribute, ...typeAndText(value)]
  const text = INDEX_KEY_PREFIX + JSON.stringify(named)
  const bytes = utf8Length(text)
  if (bytes <= MAX_PARTITION_KEY_BYTES) return { S: text } as SuffixableKey as LogicalKey
  throw new IsothermError(
    'key.too-long',
    `A value of an index of ${table} has ${bytes} bytes in the shard map, with the name of ${attribute}; DynamoDB takes ${MAX_PARTITION_KEY_BYTES}. ` +
      'Shorten the value, or give the index fixedShards(n).',
    { table, bytes, maxBytes: MAX_PARTITION_KEY_BYTES },
  )
}

/** The value in a key of `shardMapKeyOf`, as the application knows it. A number is returned as text. */
export function plainIndexKey(key: LogicalKey): string | Uint8Array {
  const [, type, text] = JSON.parse(keyText(key).slice(INDEX_KEY_PREFIX.length)) as Named
  return type === 'B' ? new Uint8Array(Buffer.from(text, 'base64')) : text
}

/** Whether a logical key of a table would have the item of an index's key in the shard map. */
export function isIndexKey(value: {
  readonly S?: string | undefined
  readonly B?: Uint8Array | undefined
}): boolean {
  if (value.S !== undefined) return value.S.startsWith(INDEX_KEY_PREFIX)
  const start = value.B?.subarray(0, INDEX_KEY_PREFIX.length)
  return start !== undefined && Buffer.from(start).toString('latin1') === INDEX_KEY_PREFIX
}

function typeAndText(value: KeyValue): ['S' | 'N' | 'B', string] {
  if ('S' in value) return ['S', value.S]
  return 'N' in value ? ['N', value.N] : ['B', Buffer.from(value.B).toString('base64')]
}
