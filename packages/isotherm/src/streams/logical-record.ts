import { IsothermError } from '../errors/isotherm-error.js'
import { indexAttributes, parseIndexes, type TableIndexOptions } from '../indexes/index-options.js'
import type { SuffixableKey } from '../keys/key.js'
import { Suffix } from '../keys/suffix.js'
import type { KeyOptions } from '../options/key-options.js'
import { MOVE_ATTRIBUTES } from '../protocol/moves/move-attributes.js'
import { type RecordCause, recordCause } from './record-cause.js'
import type { StreamImage, StreamRecord } from './stream-record.js'

/** What must be known of the table: its options will do. */
export type LogicalRecordOptions = KeyOptions & Pick<TableIndexOptions, 'indexes'>

/** A stream record with logical keys. */
export type LogicalRecord<Given extends StreamRecord> = Given & {
  /** The shard that the item is in; `undefined` for an item whose key has no suffix, which something else has written. */
  readonly shard: number | undefined
  /** Consumers skip what is a `move`: the item is the same before and after. */
  readonly cause: RecordCause
}

/**
 * A record of DynamoDB Streams as it would be if the table were not sharded: `Keys`, `NewImage` and `OldImage` with the
 * logical key and without the library's own attributes. Every other member is as it was; the record given is not changed.
 *
 * @param record of `@aws-sdk/client-dynamodb-streams`, of Lambda's `DynamoDBStreamEvent`, or of Kinesis Data Streams for DynamoDB
 * @param table the options of the table that the stream belongs to
 * @throws IsothermError `stream.no-key` when the record's keys do not have the table's partition key, as text or bytes
 * @example
 * for (const record of event.Records) {
 *   const { dynamodb, shard, cause } = logicalRecord(record, { partitionKey: 'file_path' })
 *   if (cause !== 'move') console.log(dynamodb?.Keys?.file_path, shard)
 * }
 */
export function logicalRecord<Given extends StreamRecord>(
  record: Given,
  table: LogicalRecordOptions,
): LogicalRecord<Given> {
  const { partitionKey, delimiter = '_', adopt = false } = table
  const suffix = new Suffix('the stream', delimiter, adopt)
  const stored = record.dynamodb?.Keys?.[partitionKey]
  const { value, shard } = taken(suffix, partitionKey, stored)
  const own = ownAttributes(table)
  const logical = (image: StreamImage | undefined) => shown(image, own, partitionKey, value)
  const { Keys, NewImage, OldImage } = record.dynamodb ?? {}
  return {
    ...record,
    dynamodb: {
      ...record.dynamodb,
      ...(Keys && { Keys: logical(Keys) }),
      ...(NewImage && { NewImage: logical(NewImage) }),
      ...(OldImage && { OldImage: logical(OldImage) }),
    },
    shard,
    cause: recordCause(record),
  }
}

interface TakenApart {
  /** The logical key in the form that the record has. */
  readonly value: object
  readonly shard: number | undefined
}

function taken(suffix: Suffix, partitionKey: string, stored: object | undefined): TakenApart {
  const { S, B } = Object(stored) as { readonly S?: unknown; readonly B?: unknown }
  if (typeof S === 'string') return stripped(suffix, { S }, (key) => key)
  if (B instanceof Uint8Array) return stripped(suffix, { B }, (key) => key)
  if (typeof B === 'string') return stripped(suffix, { B: Buffer.from(B, 'base64') }, inBase64)
  throw new IsothermError(
    'stream.no-key',
    `The stream record's keys have no ${partitionKey} of type S or B; that is the partition key in the options. ` +
      'Give logicalRecord the records of one table, and the options of that table.',
    { attribute: partitionKey },
  )
}

function stripped(
  suffix: Suffix,
  stored: SuffixableKey,
  present: (key: SuffixableKey) => object,
): TakenApart {
  const { logical, shard } = suffix.strip(stored) ?? { logical: stored, shard: undefined }
  return { value: present(logical), shard }
}

function inBase64(key: SuffixableKey): object {
  return 'B' in key ? { B: Buffer.from(key.B).toString('base64') } : key
}

/** What the library keeps in items for itself. */
function ownAttributes({ partitionKey, sortKey, indexes }: LogicalRecordOptions): readonly string[] {
  const moves = Object.values(MOVE_ATTRIBUTES)
  if (indexes === undefined) return moves
  const known = parseIndexes('logicalRecord.indexes', indexes, { partitionKey, sortKey, isSharded: true })
  return [...moves, ...indexAttributes(known)]
}

function shown(
  image: StreamImage | undefined,
  own: readonly string[],
  partitionKey: string,
  value: object,
): StreamImage | undefined {
  if (image === undefined) return undefined
  const others = Object.entries(image).filter(([name]) => !own.includes(name))
  return { ...Object.fromEntries(others), [partitionKey]: value }
}
