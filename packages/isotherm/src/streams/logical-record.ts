import { IsothermError } from '../errors/isotherm-error.js'
import { indexAttributes, parseIndexes, type TableIndexOptions } from '../indexes/index-options.js'
import type { SuffixableKey } from '../keys/key.js'
import type { ShardNames } from '../keys/shard-names.js'
import { Suffix } from '../keys/suffix.js'
import { invalidOption } from '../options/check.js'
import type { KeyOptions } from '../options/key-options.js'
import { MOVE_ATTRIBUTES } from '../protocol/index.js'
import type { DynamicShards, FixedShards } from '../scaling/shards.js'
import { isHandMade } from '../writes/hand-made.js'
import { type RecordCause, recordCause } from './record-cause.js'
import type { StreamImage, StreamRecord } from './stream-record.js'

/** The parts of a table's options that stream records need. You can pass the table's options object. */
export type LogicalRecordOptions = KeyOptions &
  Pick<TableIndexOptions, 'indexes'> & {
    /** Only a value of `handMade` matters. It needs `shards`. */
    readonly suffix?: unknown
    /** The shard count of a table with `handMade`. */
    readonly shards?: FixedShards | DynamicShards | undefined
  }

/** A stream record with logical keys. */
export type LogicalRecord<Given extends StreamRecord> = Given & {
  /** The shard of the item, from 1. `undefined` for an item without a suffix, which was not written by Isotherm. */
  readonly shard: number | undefined
  /**
   * `'move'` for records of the library's own item moves. Consumers should skip these, because the item is unchanged.
   */
  readonly cause: RecordCause
}

/**
 * Converts a record of DynamoDB Streams to the record of an unsharded table: `Keys`, `NewImage` and `OldImage` have the
 * logical key, and none of the library's own attributes. All other members are unchanged. The record passed in is not
 * modified.
 *
 * @param record from `@aws-sdk/client-dynamodb-streams`, Lambda's `DynamoDBStreamEvent`, or Kinesis Data Streams for
 * DynamoDB
 * @param table the options of the stream's table
 * @throws IsothermError `stream.no-key` when the record's keys do not contain the table's partition key as text or
 * bytes
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
  const { partitionKey } = table
  const suffix = namesOf(table)
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

/** @throws IsothermError `options.invalid` */
function namesOf({ delimiter = '_', adopt = false, suffix, shards }: LogicalRecordOptions): ShardNames {
  const table = 'the stream'
  if (!isHandMade(suffix)) return new Suffix(table, delimiter, adopt)
  if (shards !== undefined) return suffix.open(table, shards)
  throw invalidOption('logicalRecord.shards', shards, 'fixedShards(n) of the table, with handMade')
}

interface TakenApart {
  /** The logical key in the same form as in the record. */
  readonly value: object
  readonly shard: number | undefined
}

function taken(suffix: ShardNames, partitionKey: string, stored: object | undefined): TakenApart {
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
  suffix: ShardNames,
  stored: SuffixableKey,
  present: (key: SuffixableKey) => object,
): TakenApart {
  const { logical, shard } = suffix.strip(stored) ?? { logical: stored, shard: undefined }
  return { value: present(logical), shard }
}

function inBase64(key: SuffixableKey): object {
  return 'B' in key ? { B: Buffer.from(key.B).toString('base64') } : key
}

/** The library's own attributes of items. */
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
