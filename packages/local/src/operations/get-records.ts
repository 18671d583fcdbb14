import { hash } from 'node:crypto'
import { ServiceError, validationException } from '../errors/service-error.js'
import { afterwards } from '../storage/afterwards.js'
import { isExpired, parseIterator, printIterator } from '../stream/shard-iterator.js'
import type { StreamState } from '../stream/stream.js'
import type { StreamRecord } from '../stream/stream-record.js'
import { defineOperation } from './operation.js'
import { shardOf, streamOf, trimmedData } from './stream-request.js'

const MAX_RECORDS = 1000

/** The identity that deletes expired items. */
const SERVICE = { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' }

interface GetRecordsInput {
  readonly ShardIterator: string
  readonly Limit?: number
}

export const getRecords = defineOperation<GetRecordsInput>(
  {
    type: 'structure',
    members: {
      ShardIterator: { type: 'string', length: { min: 1, max: 2048 }, required: true },
      Limit: { type: 'integer', value: { min: 1, max: MAX_RECORDS } },
    },
  },
  (input, context) => {
    const now = context.clock.now()
    const iterator = parseIterator(input.ShardIterator)
    if (iterator === undefined) throw validationException('Invalid ShardIterator')
    if (isExpired(iterator, now)) {
      throw new ServiceError(
        'ExpiredIteratorException',
        'The shard iterator has expired: one can be used for 15 minutes. Get a new one with GetShardIterator',
      )
    }
    const stream = streamOf(context, iterator.streamArn)
    context.touched.stream = stream.state
    const shard = shardOf(stream, iterator.shardId, now)
    // A reader who is a day behind would miss records without an error.
    if (iterator.after !== undefined && stream.hasTrimmedAfter(shard, iterator.after, now)) {
      throw trimmedData(iterator.after)
    }
    const page = stream.read(shard, iterator.after, input.Limit ?? MAX_RECORDS, now)
    const Records = page.records.map((record) => describeRecord(record, shard.id, stream.state))
    if (!page.ended) {
      return { Records, NextShardIterator: printIterator({ ...iterator, after: page.last, issuedAt: now }) }
    }
    // A reader never returns to a shard that has ended, so its end must be durable.
    return afterwards(context.settled(), () => ({ Records }))
  },
)

/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Record.html */
function describeRecord(record: StreamRecord, shardId: string, { region, viewType }: StreamState): object {
  const { sequenceNumber, newImage, oldImage } = record
  return {
    eventID: hash('md5', `${shardId}/${sequenceNumber}`),
    eventName: record.eventName,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(record.createdAt / 1000),
      Keys: record.keys,
      ...(newImage === undefined ? {} : { NewImage: newImage }),
      ...(oldImage === undefined ? {} : { OldImage: oldImage }),
      SequenceNumber: sequenceNumber,
      SizeBytes: record.sizeBytes,
      StreamViewType: viewType,
    },
    ...(record.byService ? { userIdentity: SERVICE } : {}),
  }
}
