import { invalidParameters } from '../errors/service-error.js'
import { canonicalNumber, previousNumber, type SequenceNumber } from '../stream/sequence-number.js'
import type { Shard } from '../stream/shard.js'
import { printIterator } from '../stream/shard-iterator.js'
import type { Stream } from '../stream/stream.js'
import { defineOperation } from './operation.js'
import { SHARD_ID, STREAM_ARN, shardOf, streamOf, trimmedData } from './stream-request.js'

interface GetShardIteratorInput {
  readonly StreamArn: string
  readonly ShardId: string
  readonly ShardIteratorType: 'TRIM_HORIZON' | 'LATEST' | 'AT_SEQUENCE_NUMBER' | 'AFTER_SEQUENCE_NUMBER'
  readonly SequenceNumber?: string
}

export const getShardIterator = defineOperation<GetShardIteratorInput>(
  {
    type: 'structure',
    members: {
      StreamArn: { ...STREAM_ARN, required: true },
      ShardId: { ...SHARD_ID, required: true },
      ShardIteratorType: {
        type: 'string',
        required: true,
        oneOf: ['TRIM_HORIZON', 'LATEST', 'AT_SEQUENCE_NUMBER', 'AFTER_SEQUENCE_NUMBER'],
      },
      SequenceNumber: { type: 'string', length: { min: 21, max: 40 } },
    },
  },
  (input, context) => {
    const now = context.clock.now()
    const stream = streamOf(context, input.StreamArn)
    const shard = shardOf(stream, input.ShardId, now)
    const place = { streamArn: input.StreamArn, shardId: shard.id, after: startOf(input, stream, shard, now) }
    return { ShardIterator: printIterator({ ...place, issuedAt: now }) }
  },
)

/** The record after which the reader begins. `undefined` begins with the oldest record. */
function startOf(
  { ShardIteratorType: type, SequenceNumber: number }: GetShardIteratorInput,
  stream: Stream,
  shard: Shard,
  now: number,
): SequenceNumber | undefined {
  if (type === 'TRIM_HORIZON' || type === 'LATEST') {
    if (number !== undefined) {
      throw invalidParameters('SequenceNumber should not be passed for this iterator type')
    }
    return type === 'LATEST' ? stream.latestIn(shard) : undefined
  }
  if (number === undefined || !/^\d+$/.test(number)) {
    throw invalidParameters('Invalid SequenceNumber')
  }
  if (BigInt(number) < BigInt(stream.trimHorizon(now))) {
    throw trimmedData(number)
  }
  return type === 'AT_SEQUENCE_NUMBER' ? previousNumber(number) : canonicalNumber(number)
}
