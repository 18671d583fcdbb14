import { invalidParameters } from '../errors/service-error.js'
import { afterwards } from '../storage/afterwards.js'
import type { Shard } from '../stream/shard.js'
import { epochSeconds } from './epoch-seconds.js'
import { defineOperation } from './operation.js'
import { SHARD_ID, STREAM_ARN, shardOf, streamOf } from './stream-request.js'

const MAX_SHARDS = 100

interface DescribeStreamInput {
  readonly StreamArn: string
  readonly Limit?: number
  readonly ExclusiveStartShardId?: string
  readonly ShardFilter?: { readonly Type?: 'CHILD_SHARDS'; readonly ShardId?: string }
}

export const describeStream = defineOperation<DescribeStreamInput>(
  {
    type: 'structure',
    members: {
      StreamArn: { ...STREAM_ARN, required: true },
      Limit: { type: 'integer', value: { min: 1, max: MAX_SHARDS } },
      ExclusiveStartShardId: SHARD_ID,
      ShardFilter: {
        type: 'structure',
        members: { Type: { type: 'string', oneOf: ['CHILD_SHARDS'] }, ShardId: SHARD_ID },
      },
    },
  },
  (input, context) => {
    const { ExclusiveStartShardId: start = '', Limit: limit = MAX_SHARDS, ShardFilter: filter } = input
    const stream = streamOf(context, input.StreamArn)
    const now = context.clock.now()
    const { state } = stream
    const shards = wantedShards(stream.shards(now), filter, (id) => shardOf(stream, id, now))
    const rest = shards.filter(({ id }) => id > start).sort((a, b) => (a.id < b.id ? -1 : 1))
    const page = rest.slice(0, limit)
    const response = {
      StreamDescription: {
        StreamArn: state.arn,
        StreamLabel: state.label,
        StreamStatus: stream.enabled ? 'ENABLED' : 'DISABLED',
        StreamViewType: state.viewType,
        CreationRequestDateTime: epochSeconds(state.createdAt),
        TableName: state.tableName,
        KeySchema: [
          { AttributeName: state.hashName, KeyType: 'HASH' },
          ...(state.rangeName === undefined ? [] : [{ AttributeName: state.rangeName, KeyType: 'RANGE' }]),
        ],
        Shards: page.map(describeShard),
        ...(rest.length > limit ? { LastEvaluatedShardId: page.at(-1)?.id } : {}),
      },
    }
    // Readers remember shards and their ends, so all that is shown must be durable.
    return afterwards(context.settled(), () => response)
  },
)

function wantedShards(
  shards: readonly Shard[],
  filter: DescribeStreamInput['ShardFilter'],
  find: (id: string) => Shard,
): readonly Shard[] {
  if (filter === undefined) return shards
  if (filter.Type === undefined || filter.ShardId === undefined) {
    throw invalidParameters('ShardFilter must have both Type and ShardId')
  }
  const parent = find(filter.ShardId)
  return shards.filter(({ parentId }) => parentId === parent.id)
}

function describeShard({ id, parentId, startingSequenceNumber, endingSequenceNumber }: Shard): object {
  return {
    ShardId: id,
    SequenceNumberRange: {
      StartingSequenceNumber: startingSequenceNumber,
      ...(endingSequenceNumber === undefined ? {} : { EndingSequenceNumber: endingSequenceNumber }),
    },
    ...(parentId === undefined ? {} : { ParentShardId: parentId }),
  }
}
